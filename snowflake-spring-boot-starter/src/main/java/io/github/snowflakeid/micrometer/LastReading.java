package io.github.snowflakeid.micrometer;

import io.github.snowflakeid.IdLayout;
import io.github.snowflakeid.SnowflakeIdGenerator;
import io.github.snowflakeid.worker.LeaseTerms;
import io.github.snowflakeid.worker.WorkerLease;
import io.github.snowflakeid.worker.WorkerRegistry.Entry;
import io.github.snowflakeid.worker.WorkerRegistry.Snapshot;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;

/**
 * How many worker ids of a namespace are taken, how many are free, and how far the clock of the registry is ahead. Whoever asks
 * gets what was read last, and never waits: the registry is read by another thread, and only where somebody asks who has not done
 * so for a minute.
 */
final class LastReading {

    private static final long FRESH_NANOS = 60_000_000_000L;

    private final SnowflakeIdGenerator generator;
    private final LeaseTerms terms;
    private final InstantSource clock;
    private final LongSupplier nanos;
    private final Executor reader;
    private final AtomicBoolean reading = new AtomicBoolean();
    private volatile long due;
    private volatile double taken = Double.NaN;
    private volatile double skewSeconds = Double.NaN;

    LastReading(
            SnowflakeIdGenerator generator,
            LeaseTerms terms,
            InstantSource clock,
            LongSupplier nanos,
            Executor reader) {
        this.generator = generator;
        this.terms = terms;
        this.clock = clock;
        this.nanos = nanos;
        this.reader = reader;
        due = nanos.getAsLong();
    }

    /** How many are leased, or cannot be leased yet again; not a number while nothing was read. */
    double taken() {
        readIfDue();
        return taken;
    }

    /** How many can be leased now. */
    double free() {
        IdLayout layout = generator.layout();
        double ofDatacenter = layout.maxWorkerId() + 1.0;
        double all = terms.datacenterId().isPresent() ? ofDatacenter : ofDatacenter * (layout.maxDatacenterId() + 1.0);
        return all - taken();
    }

    /** How many seconds the clock of the registry is ahead: as it was when the lease was acquired, while nothing was read since. */
    double skewSeconds() {
        readIfDue();
        double read = skewSeconds;
        return Double.isNaN(read)
                ? seconds(generator.lease().map(WorkerLease::clockSkew).orElse(Duration.ZERO))
                : read;
    }

    private void readIfDue() {
        if (nanos.getAsLong() - due >= 0 && reading.compareAndSet(false, true)) {
            due = nanos.getAsLong() + FRESH_NANOS;
            try {
                reader.execute(this::read);
            } catch (OutOfMemoryError noMoreThreads) {
                reading.set(false);
            }
        }
    }

    private void read() {
        try {
            Instant before = clock.instant();
            Snapshot seen = terms.registry().read();
            // The registry looked at its clock somewhere in between.
            Instant here = before.plus(Duration.between(before, clock.instant()).dividedBy(2));
            int count = 0;
            for (Entry entry : seen.entries()) {
                boolean isOurs =
                        terms.datacenterId().isEmpty() || terms.datacenterId().getAsInt() == entry.datacenterId();
                count += isOurs && entry.takenUntil(terms.ttl()).isAfter(seen.now()) ? 1 : 0;
            }
            taken = count;
            skewSeconds = seconds(Duration.between(here, seen.now()));
        } catch (RuntimeException unreachable) {
            taken = Double.NaN;
        } finally {
            reading.set(false);
        }
    }

    private static double seconds(Duration duration) {
        return duration.toNanos() / 1e9;
    }
}
