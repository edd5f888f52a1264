package io.github.snowflakeid.worker;

import java.time.Duration;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.function.Consumer;

/**
 * On which terms a generator leases its worker id. Immutable: each method returns terms that differ in one point.
 *
 * @param registry where leases are kept
 * @param datacenterId the only datacenter id to lease worker ids of; if empty, all pairs of the layout are leased
 * @param ownerInfo who leases, for people who look into the registry or read that it is full
 * @param ttl how long a lease lasts without renewal, which is tried every third of it. A process that was killed keeps
 *     its worker id for twice that time.
 * @param acquireTimeout how long to wait for a first lease, and for giving it back at the end
 * @param maxClockSkew how far the clock of this machine may be off the registry's when the generator is opened, and may jump ahead
 *     later without being distrusted: a lease reserves no time by a clock that is farther ahead than that
 * @param listener called for each change of {@link WorkerLease#state()}, for each new worker ID, when the fence has passed without a renewal, and
 *     for each new reason why there is no worker ID, by the thread that keeps the lease; must return soon. While the generator is still being built, it is called with a reason
 *     only if its IDs begin later.
 */
public record LeaseTerms(
        WorkerRegistry registry,
        OptionalInt datacenterId,
        String ownerInfo,
        Duration ttl,
        Duration acquireTimeout,
        Duration maxClockSkew,
        Consumer<WorkerLease> listener) {

    private static final Duration SHORTEST_TTL = Duration.ofSeconds(1);
    private static final Duration LONGEST = Duration.ofDays(1);
    private static final Duration SHORTEST_TIMEOUT = Duration.ofMillis(1);
    private static final int LONGEST_INFO = 255;

    /**
     * Makes terms; {@link #of(WorkerRegistry)} is easier to read.
     *
     * @param registry where leases are kept
     * @param datacenterId the only datacenter id, or empty
     * @param ownerInfo who leases; cut after 255 characters
     * @param ttl how long a lease lasts without renewal
     * @param acquireTimeout how long to wait for a first lease, and for giving it back at the end
     * @param maxClockSkew how far the clocks may be off
     * @param listener told of each change
     * @throws IllegalArgumentException if {@code ttl} is not from 1 s to 1 d, {@code acquireTimeout} not from 1 ms to 1 d, or {@code
     *     maxClockSkew} not from 0 to 1 d
     */
    public LeaseTerms {
        Objects.requireNonNull(registry, "registry");
        Objects.requireNonNull(datacenterId, "datacenterId");
        Objects.requireNonNull(listener, "listener");
        if (ttl.compareTo(SHORTEST_TTL) < 0 || ttl.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("ttl must be from 1 s to 1 d, but was " + ttl);
        }
        if (acquireTimeout.compareTo(SHORTEST_TIMEOUT) < 0 || acquireTimeout.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("acquireTimeout must be from 1 ms to 1 d, but was " + acquireTimeout);
        }
        if (maxClockSkew.isNegative() || maxClockSkew.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("maxClockSkew must be from 0 to 1 d, but was " + maxClockSkew);
        }
        ownerInfo = ownerInfo.substring(0, Math.min(ownerInfo.length(), LONGEST_INFO));
    }

    /**
     * The usual terms: all worker ids of the layout, 60 s, a time-out of 10 s, clocks at most 10 s apart; the owner is known by host name and process id.
     *
     * @param registry where leases are kept
     * @return terms to lease on
     */
    public static LeaseTerms of(WorkerRegistry registry) {
        return new LeaseTerms(
                registry,
                OptionalInt.empty(),
                processInfo(),
                Duration.ofSeconds(60),
                Duration.ofSeconds(10),
                Duration.ofSeconds(10),
                change -> {});
    }

    /**
     * Host name and process id, as in {@code "orders-3, pid 42"}.
     *
     * @return who this process is, for people
     */
    public static String processInfo() {
        return Host.localName().orElse("unknown host") + ", pid "
                + ProcessHandle.current().pid();
    }

    /**
     * Sets the only datacenter id to lease worker ids of.
     *
     * @param id the datacenter id
     * @return other terms
     */
    public LeaseTerms datacenterId(int id) {
        return new LeaseTerms(registry, OptionalInt.of(id), ownerInfo, ttl, acquireTimeout, maxClockSkew, listener);
    }

    /**
     * Sets who leases.
     *
     * @param info for people; cut after 255 characters
     * @return other terms
     */
    public LeaseTerms ownerInfo(String info) {
        return new LeaseTerms(registry, datacenterId, info, ttl, acquireTimeout, maxClockSkew, listener);
    }

    /**
     * Sets how long a lease lasts without renewal.
     *
     * @param duration from 1 s to 1 d
     * @return other terms
     * @throws IllegalArgumentException if it is shorter or longer
     */
    public LeaseTerms ttl(Duration duration) {
        return new LeaseTerms(registry, datacenterId, ownerInfo, duration, acquireTimeout, maxClockSkew, listener);
    }

    /**
     * Sets how long to wait for a first lease, and for giving it back at the end.
     *
     * @param duration from 1 ms to 1 d
     * @return other terms
     * @throws IllegalArgumentException if it is shorter or longer
     */
    public LeaseTerms acquireTimeout(Duration duration) {
        return new LeaseTerms(registry, datacenterId, ownerInfo, ttl, duration, maxClockSkew, listener);
    }

    /**
     * Sets how far the clock of this machine may be off the registry's when the generator is opened, and may jump ahead later.
     *
     * @param duration from 0 to 1 d
     * @return other terms
     * @throws IllegalArgumentException if it is negative or longer
     */
    public LeaseTerms maxClockSkew(Duration duration) {
        return new LeaseTerms(registry, datacenterId, ownerInfo, ttl, acquireTimeout, duration, listener);
    }

    /**
     * Sets who is told of changes.
     *
     * @param consumer called by the thread that renews
     * @return other terms
     */
    public LeaseTerms listener(Consumer<WorkerLease> consumer) {
        return new LeaseTerms(registry, datacenterId, ownerInfo, ttl, acquireTimeout, maxClockSkew, consumer);
    }
}
