package io.github.snowflakeid.sample;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.github.snowflakeid.IdFields;
import io.github.snowflakeid.IdLayout;
import io.github.snowflakeid.text.IdFormat;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** An ID, its fields, the widths of the fields in bits, and the text forms of the ID. */
@JsonInclude(JsonInclude.Include.NON_NULL)
record DecodedId(
        @JsonFormat(shape = JsonFormat.Shape.STRING) long id,
        Instant timestamp,
        int datacenterId,
        int workerId,
        int sequence,
        Bits bits,
        String hexadecimal,
        String crockford,
        @Nullable String publicId) {

    record Bits(int timestamp, int datacenter, int worker, int sequence) {}

    static DecodedId of(long id, IdLayout layout, @Nullable String publicId) {
        IdFields fields = layout.decode(id);
        return new DecodedId(
                id,
                fields.timestamp(),
                fields.datacenterId(),
                fields.workerId(),
                fields.sequence(),
                new Bits(layout.timestampBits(), layout.datacenterBits(), layout.workerBits(), layout.sequenceBits()),
                IdFormat.HEXADECIMAL.format(id),
                IdFormat.CROCKFORD.format(id),
                publicId);
    }
}
