package io.github.snowflakeid.it;

import io.github.snowflakeid.json.IdAsString;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** All that an id can be in. */
public record Order(
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
