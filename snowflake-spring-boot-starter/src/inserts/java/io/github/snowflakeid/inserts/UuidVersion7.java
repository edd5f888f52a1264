package io.github.snowflakeid.inserts;

import java.security.SecureRandom;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.id.uuid.UuidValueGenerator;

/**
 * UUIDs of version 7 by RFC 9562: 48 bits of milliseconds, 12 bits of their fraction, which also keep equal times in
 * order, and 62 random ones. Hibernate has its own from version 7 on.
 */
public final class UuidVersion7 implements UuidValueGenerator {

    private final SecureRandom random = new SecureRandom();
    private final AtomicLong last = new AtomicLong();

    @Override
    public UUID generateUuid(SharedSessionContractImplementor session) {
        Instant now = Instant.now();
        long fraction = (now.getNano() % 1_000_000L << 12) / 1_000_000;
        long time = last.accumulateAndGet(
                now.toEpochMilli() << 12 | fraction, (before, after) -> Math.max(before + 1, after));
        return new UUID(time >>> 12 << 16 | 7 << 12 | time & 0xFFF, 1L << 63 | random.nextLong() >>> 2);
    }
}
