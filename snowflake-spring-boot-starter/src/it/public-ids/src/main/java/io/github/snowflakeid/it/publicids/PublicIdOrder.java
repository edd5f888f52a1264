package io.github.snowflakeid.it.publicids;

import io.github.snowflakeid.SnowflakeId;
import io.github.snowflakeid.json.IdAsString;
import io.github.snowflakeid.publicid.IdText;
import io.github.snowflakeid.publicid.PublicId;
import io.github.snowflakeid.text.IdFormat;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A public ID in each supported type. */
public record PublicIdOrder(
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
