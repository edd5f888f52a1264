package io.github.snowflakeid;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Stores the leases of worker IDs, for all processes that share a namespace. A store only has to provide one atomic
 * conditional write. Which worker ID to lease, when to renew, and how to react to a rejection is decided in the
 * library, in the same way for every store.
 *
 * <p><b>Contract.</b> {@link #acquire acquire}, {@link #renew renew} and {@link #release release} check their condition
 * and write in one atomic step. They return {@code true} only after the write is durably committed; every later
 * {@link #read() read} and every later condition must see it. They return {@code false} only if the condition did not
 * hold and nothing was written. If neither is known, for example because the connection broke before the answer, they
 * must throw: the write may have happened, may not have happened, or may still happen, and the caller finds out. They
 * must not take part in a transaction of the caller. A call should return or throw within a third of the ttl; wrap a
 * registry whose client may wait longer in a {@link io.github.snowflakeid.worker.BoundedRegistry}.
 *
 * <p>As long as an implementation fulfils this contract and committed entries are not lost, two IDs are never equal.
 * Clocks are irrelevant to that: {@link Entry#expiresAt()} only decides when another process may take over an entry.
 *
 * <p>Implementations must be safe for use by any number of threads. Test them with {@code WorkerRegistryContract} from
 * the test jar of the core.
 *
 * @since 1.0
 */
public interface WorkerRegistry {

    /**
     * Returns the namespace. Processes with the same namespace share the worker IDs.
     *
     * @return the namespace, for messages
     */
    String namespace();

    /**
     * Returns the kind of this store, such as {@code "jdbc"}.
     *
     * @return a word for meters and messages, the same for all registries of a kind; {@code "registry"} unless
     *     overridden
     */
    default String kind() {
        return "registry";
    }

    /**
     * Called once before the first read, without the time limits of other calls. A registry may open its first
     * connection, for as long as clients of its store usually wait for one: the acquire timeout begins when this method
     * has returned. Does nothing unless overridden.
     *
     * @throws RuntimeException if there is no connection; the acquire timeout then began before this call
     */
    default void connect() {}

    /**
     * Reads all entries of the namespace, and the clock by which they expire.
     *
     * @return the entries that are committed now
     * @throws WorkerIdUnavailableException if the store cannot be used until it is repaired, for
     *     example because its table is missing; a generator that is being opened then fails at once
     * @throws RuntimeException if the store cannot be read at the moment
     */
    Snapshot read();

    /**
     * Acquires a worker ID: writes the claim, which expires after {@code validity}, if its entry has not changed since
     * it was read.
     *
     * @param seen the entry as it was read; null if there was none
     * @param claim the claim to write
     * @param validity how long the claim is valid, from now on the store's clock; the ttl of the lease or longer
     * @return whether the claim was written; {@code false} if the entry now has another owner or another
     *     {@link Entry#reservedUntil()}, if there is now an entry although {@code seen} is null, or if the claim begins
     *     before the current {@linkplain Snapshot#floor() floor}
     * @throws WorkerIdUnavailableException if nothing was written and no claim can be written
     *     until the store is repaired
     * @throws RuntimeException if it is unknown whether the claim was written
     */
    boolean acquire(@Nullable Entry seen, Claim claim, Duration validity);

    /**
     * Extends a claim if the entry still has the claim's owner and {@link Claim#reservedUntil()}. Writes the new end of
     * the reserved time, and when the claim expires; the rest of the entry stays the same.
     *
     * @param held the claim as it was last written
     * @param reservedUntil the new end of the reserved time
     * @param ttl how long the claim is valid, from now on the store's clock
     * @return whether the entry was written
     * @throws RuntimeException if it is unknown whether the entry was written
     */
    boolean renew(Claim held, Instant reservedUntil, Duration ttl);

    /**
     * Releases a worker ID if the entry still has the claim's owner and {@link Claim#reservedUntil()}. Writes an entry
     * without an owner that has expired and whose reserved time ends at {@code reservedUntil};
     * {@link Entry#ownerInfo()} and {@link Entry#layout()} stay the same. The entry must not be deleted: it records
     * which IDs may exist.
     *
     * @param held the claim as it was last written
     * @param reservedUntil the end of the time that was actually used, which may be earlier than the end of the claim
     * @return whether the entry was written
     * @throws RuntimeException if it is unknown whether the entry was written
     */
    boolean release(Claim held, Instant reservedUntil);

    /**
     * A claim of one process: the worker ID, and the range of timestamps for which the process may issue its IDs.
     * Immutable.
     */
    sealed interface Claim permits RegistryValues.OfClaim {

        /**
         * Returns a claim. Registries receive claims from generators; this method is meant for tests of registries.
         *
         * @param datacenterId the datacenter ID
         * @param workerId the worker ID
         * @param owner a random token that no other claim has, at most 36 characters
         * @param ownerInfo a description of the owner for people, at most 255 characters
         * @param reservedFrom the start of the reserved time, inclusive
         * @param reservedUntil the end of the reserved time, exclusive, in whole milliseconds
         * @param layout a description of the ID layout, at most 100 characters
         * @return the claim
         */
        static Claim of(
                int datacenterId,
                int workerId,
                String owner,
                String ownerInfo,
                Instant reservedFrom,
                Instant reservedUntil,
                String layout) {
            return new RegistryValues.OfClaim(
                    datacenterId, workerId, owner, ownerInfo, reservedFrom, reservedUntil, layout);
        }

        /**
         * Returns the datacenter ID.
         *
         * @return 0 if the layout has no bits for it
         */
        int datacenterId();

        /**
         * Returns the worker ID.
         *
         * @return the worker ID
         */
        int workerId();

        /**
         * Returns the token of the owner.
         *
         * @return a random token that no other claim has, at most 36 characters
         */
        String owner();

        /**
         * Returns a description of the owner for people.
         *
         * @return at most 255 characters
         */
        String ownerInfo();

        /**
         * Returns the start of the reserved time. The store need not keep it.
         *
         * @return an instant, inclusive
         */
        Instant reservedFrom();

        /**
         * Returns the end of the reserved time.
         *
         * @return an instant, exclusive, in whole milliseconds
         */
        Instant reservedUntil();

        /**
         * Returns a description of the ID layout.
         *
         * @return at most 100 characters; equal for all claims of a namespace
         */
        String layout();

        /**
         * Returns the same claim with another end of the reserved time.
         *
         * @param end the end of the reserved time
         * @return the changed claim
         */
        default Claim until(Instant end) {
            return of(datacenterId(), workerId(), owner(), ownerInfo(), reservedFrom(), end, layout());
        }
    }

    /**
     * The stored entry of one worker ID. It exists from the first claim on and is never deleted. Immutable.
     */
    sealed interface Entry permits RegistryValues.OfEntry {

        /**
         * Returns an entry.
         *
         * @param datacenterId the datacenter ID
         * @param workerId the worker ID
         * @param owner the token of the claim that holds the worker ID; null if it is free
         * @param ownerInfo a description of the current or last owner
         * @param reservedUntil the end of the reserved time
         * @param expiresAt when the claim expires, on the store's clock
         * @param layout a description of the ID layout
         * @return the entry
         */
        static Entry of(
                int datacenterId,
                int workerId,
                @Nullable String owner,
                @Nullable String ownerInfo,
                Instant reservedUntil,
                Instant expiresAt,
                String layout) {
            return new RegistryValues.OfEntry(
                    datacenterId, workerId, owner, ownerInfo, reservedUntil, expiresAt, layout);
        }

        /**
         * Returns the datacenter ID.
         *
         * @return 0 if the layout has no bits for it
         */
        int datacenterId();

        /**
         * Returns the worker ID.
         *
         * @return the worker ID
         */
        int workerId();

        /**
         * Returns the token of the claim that holds the worker ID.
         *
         * @return null if the worker ID is free
         */
        @Nullable
        String owner();

        /**
         * Returns a description of the current or last owner.
         *
         * @return a text for people; null if the store has none
         */
        @Nullable
        String ownerInfo();

        /**
         * Returns the end of the reserved time.
         *
         * @return an instant; IDs with any earlier timestamp may have been issued
         */
        Instant reservedUntil();

        /**
         * Returns when the claim expires.
         *
         * @return a time on the store's clock
         */
        Instant expiresAt();

        /**
         * Returns a description of the ID layout.
         *
         * @return the layout of the current or last claim
         */
        String layout();

        /**
         * Returns until when no other process may lease the worker ID. That is one ttl after the claim has expired,
         * because a store that lost its last commits in a failover may have lost a renewal.
         *
         * @param ttl how long a claim is valid
         * @return a time on the store's clock; a time long ago if the worker ID is free
         */
        default Instant unavailableUntil(Duration ttl) {
            return owner() == null ? Instant.MIN : expiresAt().plus(ttl);
        }

        /**
         * Returns whether an entry is unchanged: the condition of {@link WorkerRegistry#acquire acquire}, for stores
         * that compare entries in Java. For {@link WorkerRegistry#renew renew} and
         * {@link WorkerRegistry#release release}, use {@link Snapshot#contains}.
         *
         * @param expected the entry as it was read; null if there was none
         * @param current the current entry; null if there is none
         * @return whether both are null, or both have the same owner and {@link #reservedUntil()}
         */
        static boolean matches(@Nullable Entry expected, @Nullable Entry current) {
            if (expected == null || current == null) {
                return expected == null && current == null;
            }
            return Objects.equals(expected.owner(), current.owner())
                    && expected.reservedUntil().equals(current.reservedUntil());
        }
    }

    /** The entries of a namespace at one moment. Immutable. */
    sealed interface Snapshot permits RegistryValues.OfSnapshot {

        /**
         * Returns a snapshot of a store that never loses entries.
         *
         * @param now the store's clock
         * @param entries the entries
         * @return the snapshot
         */
        static Snapshot of(Instant now, List<Entry> entries) {
            return new RegistryValues.OfSnapshot(now, List.copyOf(entries), Instant.EPOCH);
        }

        /**
         * Returns the same snapshot with another floor, for a store that may have lost entries. Such a store must
         * reject claims that reserve time further ahead of its clock than the floor, and {@link WorkerRegistry#acquire
         * acquire} must check the floor in the same atomic step as the write.
         *
         * @param floor the earliest timestamp of the IDs of a new claim
         * @return the changed snapshot
         */
        default Snapshot withFloor(Instant floor) {
            return new RegistryValues.OfSnapshot(now(), entries(), floor);
        }

        /**
         * Returns the store's clock.
         *
         * @return an instant
         */
        Instant now();

        /**
         * Returns the entries.
         *
         * @return an unmodifiable list, in any order
         */
        List<Entry> entries();

        /**
         * Returns the earliest timestamp of the IDs of a new claim, whatever its entry says. A process that acquires a
         * claim earlier issues no IDs until its clock has reached the floor.
         *
         * @return the floor; long ago if the store never loses entries
         */
        Instant floor();

        /**
         * Returns the entry of a claim's worker ID.
         *
         * @param claim the claim
         * @return the entry; null if there is none
         */
        default @Nullable Entry entryOf(Claim claim) {
            return entryOf(claim.datacenterId(), claim.workerId());
        }

        /**
         * Returns the entry of a worker ID.
         *
         * @param datacenterId the datacenter ID
         * @param workerId the worker ID
         * @return the entry; null if there is none
         */
        default @Nullable Entry entryOf(int datacenterId, int workerId) {
            return entries().stream()
                    .filter(entry -> entry.datacenterId() == datacenterId && entry.workerId() == workerId)
                    .findFirst()
                    .orElse(null);
        }

        /**
         * Returns whether the registry contains a claim as it was written, neither renewed nor replaced.
         *
         * @param claim the claim
         * @return whether the entry has the claim's owner and {@link Claim#reservedUntil()}
         */
        default boolean contains(Claim claim) {
            Entry entry = entryOf(claim);
            return entry != null
                    && claim.owner().equals(entry.owner())
                    && claim.reservedUntil().equals(entry.reservedUntil());
        }
    }
}
