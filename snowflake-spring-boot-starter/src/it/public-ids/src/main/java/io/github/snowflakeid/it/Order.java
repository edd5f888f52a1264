package io.github.snowflakeid.it;

import io.github.snowflakeid.SnowflakeId;
import io.github.snowflakeid.json.IdAsString;
import io.github.snowflakeid.publicid.IdText;
import io.github.snowflakeid.publicid.PublicId;
import io.github.snowflakeid.text.IdFormat;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** All that a public id can be in. */
public record Order(
        @SnowflakeId @PublicId("order") long id,
        @IdAsString @PublicId("customer") Long customer,
        @PublicId("line") List<Long> lines,
        @PublicId("invoice") long[] invoices,
        @PublicId("payment") Long[] payments,
        @PublicId("parcel") Map<String, Long> parcels,
        @PublicId("voucher") Optional<Long> voucher,
        @PublicId("till") BigInteger till,
        @PublicId("batch") List<long[]> batches,
        @IdText(IdFormat.CROCKFORD) Long ticket,
        long quantity) {}
