package io.github.snowflakeid.micrometer;

import io.github.snowflakeid.IdLayout;
import io.github.snowflakeid.SnowflakeIdGenerator;
import io.github.snowflakeid.worker.LeaseTerms;
import io.github.snowflakeid.worker.WorkerLease;
import io.github.snowflakeid.worker.WorkerRegistry.Entry;
import io.github.snowflakeid.worker.WorkerRegistry.Snapshot;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;

/**
 * How many worker ids of a namespace are taken, how many are free, and how far the registry's clock is ahead. Whoever asks gets what
 * was read last, and never waits: the registry is read by another thread, and only where somebody asks who has not done so for a
 * minute.
 */
final class WorkerIdCount {

    private static final long FRESH_NANOS = 60_000_000_000L;

    private final SnowflakeIdGenerator generator;
    private final LeaseTerms terms;
    private final LongSupplier nanos;
    private final Executor reader;
    private final AtomicBoolean reading = new AtomicBoolean();
    private volatile long due;
    private volatile double taken = Double.NaN;

    WorkerIdCount(SnowflakeIdGenerator generator, LeaseTerms terms, LongSupplier nanos, Executor reader) {
        this.generator = generator;
        this.terms = terms;
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

    /** How far the registry's clock was ahead of this machine's when the registry was read last. */
    Duration skew() {
        readIfDue();
        return generator.lease().map(WorkerLease::clockSkew).orElse(Duration.ZERO);
    }

    private void readIfDue() {
        if (nanos.getAsLong() - due >= 0 && reading.compareAndSet(false, true)) {
            due = nanos.getAsLong() + FRESH_NANOS;
            try {
                reader.execute(this::read);
            } catch (RuntimeException | Error noThread) {
                taken = Double.NaN;
                reading.set(false);
            }
        }
    }

    private void read() {
        double count = Double.NaN;
        try {
            count = countTaken(generator.readRegistry().orElseThrow());
        } catch (RuntimeException unreachable) {
            // There is no number, then.
        } finally {
            taken = count;
            reading.set(false);
        }
    }

    private double countTaken(Snapshot seen) {
        int count = 0;
        for (Entry entry : seen.entries()) {
            boolean isOurs =
                    terms.datacenterId().isEmpty() || terms.datacenterId().getAsInt() == entry.datacenterId();
            count += isOurs && entry.unavailableUntil(terms.ttl()).isAfter(seen.now()) ? 1 : 0;
        }
        return count;
    }
}
