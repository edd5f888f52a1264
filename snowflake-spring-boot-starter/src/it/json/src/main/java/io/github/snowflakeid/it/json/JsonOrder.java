package io.github.snowflakeid.it.json;

import io.github.snowflakeid.json.IdAsString;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** An ID in each supported type. */
public record JsonOrder(
        @IdAsString long id,
        @IdAsString Long customer,
        @IdAsString List<Long> lines,
        @IdAsString long[] invoices,
        @IdAsString Long[] payments,
        @IdAsString Map<String, Long> parcels,
        @IdAsString Optional<Long> voucher,
        @IdAsString BigInteger till,
        @IdAsString List<long[]> batches,
        @IdAsString Map<String, List<Long>> offers,
        long quantity) {}
