package io.github.snowflakeid.sample;

import com.fasterxml.jackson.annotation.JsonFormat;
import io.github.snowflakeid.IdFields;
import io.github.snowflakeid.IdLayout;
import java.time.Instant;

/** An id, its fields, and the widths of these in bits. */
record DecodedId(
        @JsonFormat(shape = JsonFormat.Shape.STRING) long id,
        Instant timestamp,
        int datacenterId,
        int workerId,
        int sequence,
        Bits bits) {

    record Bits(int timestamp, int datacenter, int worker, int sequence) {}

    static DecodedId of(long id, IdLayout layout) {
        IdFields fields = layout.decode(id);
        return new DecodedId(
                id,
                fields.timestamp(),
                fields.datacenterId(),
                fields.workerId(),
                fields.sequence(),
                new Bits(layout.timestampBits(), layout.datacenterBits(), layout.workerBits(), layout.sequenceBits()));
    }
}
