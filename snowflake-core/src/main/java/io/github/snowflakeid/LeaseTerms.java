package io.github.snowflakeid;

import java.time.Duration;
import java.util.OptionalInt;
import java.util.function.Consumer;

/**
 * The terms on which a generator leases its worker ID. Immutable: each {@code with} method returns a copy with one
 * value changed. Begin with {@link #of}.
 *
 * <p>The thread that keeps the lease calls the listener when {@link WorkerLease#state()} changes, when another worker
 * ID is leased, and when there is no worker ID for a new reason. The listener must return quickly. Failed attempts to
 * lease the first worker ID are not reported: they are in the exception that the generator's {@code build()} throws.
 *
 * <p>The listener is called without a lock, and may use, close and reopen the generator. If it ends the JVM, a shutdown
 * hook that closes the generator waits for the listener until the acquire timeout has passed, and the worker ID stays
 * leased until it expires.
 *
 * @since 1.0
 */
public sealed interface LeaseTerms permits TermsValues {

    /**
     * Returns the default terms: any worker ID of the layout, a ttl of 60 s, an acquire timeout of 10 s, and clocks
     * that differ by at most 10 s. The owner info is {@link #processInfo()}.
     *
     * @param registry the registry that keeps the lease
     * @return the default terms
     */
    static LeaseTerms of(WorkerRegistry registry) {
        return new TermsValues(
                registry,
                OptionalInt.empty(),
                processInfo(),
                Duration.ofSeconds(60),
                Duration.ofSeconds(10),
                Duration.ofSeconds(10),
                change -> {});
    }

    /**
     * Returns the host name and the process ID, such as {@code "orders-3, pid 42"}.
     *
     * @return a description of this process for people
     */
    static String processInfo() {
        return Host.localName().orElse("unknown host") + ", pid "
                + ProcessHandle.current().pid();
    }

    /**
     * Returns the registry that keeps the lease.
     *
     * @return the registry
     */
    WorkerRegistry registry();

    /**
     * Returns the datacenter ID whose worker IDs may be leased.
     *
     * @return the datacenter ID; empty if any pair of datacenter ID and worker ID may be leased
     */
    OptionalInt datacenterId();

    /**
     * Returns the description of the owner. People see it in the registry, and in the message that reports that all
     * worker IDs are leased.
     *
     * @return at most 255 characters of printable ASCII
     */
    String ownerInfo();

    /**
     * Returns how long a lease lasts without renewal. The generator renews after a third of it. If a process is killed,
     * its worker ID is available again after twice this time.
     *
     * @return from 1 s to 1 d
     */
    Duration ttl();

    /**
     * Returns how long to wait for the first lease, and for its release at shutdown.
     *
     * @return from 1 ms to 1 d
     */
    Duration acquireTimeout();

    /**
     * Returns how far this machine's clock may differ from the registry's clock when the generator is opened. If this
     * machine's clock later jumps ahead by more, the generator no longer trusts it: renewals then reserve no time
     * according to this clock.
     *
     * @return from 0 to 1 d
     */
    Duration maxClockSkew();

    /**
     * Returns the listener.
     *
     * @return the listener, which does nothing unless set
     */
    Consumer<WorkerLease> listener();

    /**
     * Returns terms that lease only worker IDs of the given datacenter ID.
     *
     * @param id the datacenter ID
     * @return the changed terms
     */
    default LeaseTerms withDatacenterId(int id) {
        return new TermsValues(
                registry(), OptionalInt.of(id), ownerInfo(), ttl(), acquireTimeout(), maxClockSkew(), listener());
    }

    /**
     * Returns terms with another description of the owner.
     *
     * @param info a text for people; stored with Unicode escapes for all characters other than printable ASCII, and
     *     truncated to 255 characters
     * @return the changed terms
     */
    default LeaseTerms withOwnerInfo(String info) {
        return new TermsValues(registry(), datacenterId(), info, ttl(), acquireTimeout(), maxClockSkew(), listener());
    }

    /**
     * Returns terms with another lease duration. A process that was killed keeps its worker ID for twice that time: its
     * claim expires after the ttl, and other processes then wait for one more.
     *
     * @param duration from 1 s to 1 d
     * @return the changed terms
     * @throws IllegalArgumentException if it is out of range
     */
    default LeaseTerms withTtl(Duration duration) {
        return new TermsValues(
                registry(), datacenterId(), ownerInfo(), duration, acquireTimeout(), maxClockSkew(), listener());
    }

    /**
     * Returns terms with another limit for acquiring the first lease, and for releasing it at shutdown.
     *
     * @param duration from 1 ms to 1 d
     * @return the changed terms
     * @throws IllegalArgumentException if it is out of range
     */
    default LeaseTerms withAcquireTimeout(Duration duration) {
        return new TermsValues(registry(), datacenterId(), ownerInfo(), ttl(), duration, maxClockSkew(), listener());
    }

    /**
     * Returns terms with another limit for the difference between this machine's clock and the registry's.
     *
     * @param duration from 0 to 1 d
     * @return the changed terms
     * @throws IllegalArgumentException if it is out of range
     */
    default LeaseTerms withMaxClockSkew(Duration duration) {
        return new TermsValues(registry(), datacenterId(), ownerInfo(), ttl(), acquireTimeout(), duration, listener());
    }

    /**
     * Returns terms with another {@link #listener()}.
     *
     * @param consumer the listener
     * @return the changed terms
     */
    default LeaseTerms withListener(Consumer<WorkerLease> consumer) {
        return new TermsValues(
                registry(), datacenterId(), ownerInfo(), ttl(), acquireTimeout(), maxClockSkew(), consumer);
    }
}
