package io.github.snowflakeid.internal.actuate;

import io.github.snowflakeid.SnowflakeIdGenerator;
import io.github.snowflakeid.WorkerLease;
import io.github.snowflakeid.WorkerLease.State;
import io.github.snowflakeid.segment.SegmentIdGenerator;
import io.github.snowflakeid.segment.SegmentStore;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.Collectors;

/** The words and the remaining time by which endpoints and meters describe a generator. */
public final class GeneratorLabels {

    private GeneratorLabels() {}

    /**
     * Returns the kinds of a generator's stores.
     *
     * @param generator a generator of sequential numbers
     * @return one word for each kind, such as {@code jdbc}, joined by {@code +}
     */
    public static String stores(SegmentIdGenerator generator) {
        return generator.stores().stream().map(SegmentStore::kind).distinct().collect(Collectors.joining("+"));
    }

    /**
     * Returns the source of a generator's worker ID in one word.
     *
     * @param generator a generator
     * @return {@code fixed}, {@code host}, the kind of the registry such as {@code jdbc}, or {@code own} for a worker
     *     ID that the application assigns
     */
    public static String strategy(SnowflakeIdGenerator generator) {
        return generator
                .leaseTerms()
                .map(terms -> terms.registry().kind())
                .orElseGet(() -> generator.workerId().origin().equals("configured")
                        ? "fixed"
                        : generator.workerId().warning() != null ? "host" : "own");
    }

    /**
     * Returns how long IDs are still issued if a lease is not renewed.
     *
     * @param lease the lease
     * @param now the current time
     * @return the remaining time; zero if no IDs are issued
     */
    public static Duration remaining(WorkerLease lease, Instant now) {
        boolean isGranted = lease.state() == State.HELD || lease.state() == State.EXPIRING;
        return isGranted && now.isBefore(lease.fence()) ? Duration.between(now, lease.fence()) : Duration.ZERO;
    }
}
