package io.github.snowflakeid.micrometer;

import io.github.snowflakeid.IdLayout;
import io.github.snowflakeid.LeaseTerms;
import io.github.snowflakeid.SnowflakeIdGenerator;
import io.github.snowflakeid.WorkerLease;
import io.github.snowflakeid.WorkerRegistry.Snapshot;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;

/**
 * Counts the leased and free worker IDs of a namespace, and measures how far the registry's clock is ahead. Callers get
 * the result of the last read and never wait: another thread reads the registry, at most once a minute, and only if a
 * caller asks.
 */
final class WorkerIdCount {

    private static final long FRESH_NANOS = 60_000_000_000L;

    private final SnowflakeIdGenerator generator;
    private final LeaseTerms terms;
    private final LongSupplier nanos;
    private final Executor reader;
    private final AtomicBoolean reading = new AtomicBoolean();
    private volatile long due;
    private volatile double leased = Double.NaN;

    WorkerIdCount(SnowflakeIdGenerator generator, LeaseTerms terms, LongSupplier nanos, Executor reader) {
        this.generator = generator;
        this.terms = terms;
        this.nanos = nanos;
        this.reader = reader;
        due = nanos.getAsLong();
    }

    /**
     * Returns how many worker IDs are leased or expired too recently to be leased again; NaN before the first read and
     * after a failed read.
     */
    double leased() {
        readIfDue();
        return leased;
    }

    /** Returns how many worker IDs can be leased now; NaN if that is unknown. */
    double free() {
        IdLayout layout = generator.layout();
        double ofDatacenter = layout.maxWorkerId() + 1.0;
        double all = terms.datacenterId().isPresent() ? ofDatacenter : ofDatacenter * (layout.maxDatacenterId() + 1.0);
        return all - leased();
    }

    /** Returns how far the registry's clock was ahead of this machine's clock when the registry was last read. */
    Duration skew() {
        readIfDue();
        return generator.lease().map(WorkerLease::clockSkew).orElse(Duration.ZERO);
    }

    private void readIfDue() {
        if (nanos.getAsLong() - due >= 0 && reading.compareAndSet(false, true)) {
            due = nanos.getAsLong() + FRESH_NANOS;
            try {
                reader.execute(this::read);
            } catch (RuntimeException | Error e) {
                leased = Double.NaN;
                reading.set(false);
            }
        }
    }

    private void read() {
        double count = Double.NaN;
        try {
            count = countTaken(generator.readRegistry().orElseThrow());
        } catch (RuntimeException e) {
            // The registry is unavailable, so the count is unknown.
        } finally {
            leased = count;
            reading.set(false);
        }
    }

    private double countTaken(Snapshot seen) {
        return seen.entries().stream()
                .filter(entry ->
                        terms.datacenterId().isEmpty() || terms.datacenterId().getAsInt() == entry.datacenterId())
                .filter(entry -> entry.unavailableUntil(terms.ttl()).isAfter(seen.now()))
                .count();
    }
}
