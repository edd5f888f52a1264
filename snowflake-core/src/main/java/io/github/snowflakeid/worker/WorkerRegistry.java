package io.github.snowflakeid.worker;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Where the leases of worker ids are kept, for all processes that share a namespace. All that is asked of a store is one
 * atomic conditional write; which worker id to take, when to renew, and what a refusal means is decided above it, once
 * for every store.
 *
 * <p><b>What an implementation guarantees.</b> {@link #acquire}, {@link #renew} and {@link #release} check their
 * condition and write in one atomic step, and return {@code true} only when the write is durably committed. Once it is,
 * every later {@link #read} and every later condition sees it. They return {@code false} only if the condition did not hold and
 * nothing was written. Where neither is known, as when the connection broke before the answer, they throw: the write
 * may be done, not done, or yet to come, and the caller finds out. They do not take part in a transaction of the caller.
 *
 * <p>Two ids are never equal as long as this holds and committed entries are kept. Clocks play no part in that:
 * {@link Entry#expiresAt()} only decides when an entry may be taken over.
 *
 * <p>Safe for use by any number of threads.
 *
 * @since 0.1.0
 */
public interface WorkerRegistry {

    /**
     * The name under which processes share worker ids.
     *
     * @return the namespace, for messages
     */
    String namespace();

    /**
     * What kind of store this is, as {@code "jdbc"}.
     *
     * @return a word for meters and messages, the same for all registries of a kind; {@code "registry"} unless overridden
     */
    default String kind() {
        return "registry";
    }

    /**
     * Reads all entries of the namespace, and the clock that they expire by.
     *
     * @return what is committed now
     * @throws io.github.snowflakeid.WorkerIdUnavailableException if the store cannot be used before somebody mends it,
     *     as when its table is missing; a generator that is being opened fails at once then
     * @throws RuntimeException if the store cannot be read now
     */
    Snapshot read();

    /**
     * Takes a worker id: writes the claim, to expire after {@code ttl}, if its entry is still as it was read.
     *
     * @param seen the entry as it was read; null if there was none
     * @param claim what to write
     * @param ttl how long the claim is valid, from now on the store's clock
     * @return whether it was written; {@code false} if the entry's owner or {@link Entry#reservedUntil()} are others
     *     meanwhile, if there is an entry where there was none, or if the claim begins before the {@linkplain Snapshot#floor()
     *     floor} that there is now
     * @throws io.github.snowflakeid.WorkerIdUnavailableException if nothing was written, nor will be before somebody mends
     *     the store
     * @throws RuntimeException if it is not known whether it was written
     */
    boolean acquire(@Nullable Entry seen, Claim claim, Duration ttl);

    /**
     * Extends a claim, if the entry still has its owner and its {@link Claim#reservedUntil()}.
     *
     * @param held the claim as it was last written
     * @param reservedUntil the new end of the reserved time
     * @param ttl how long the claim is valid, from now on the store's clock
     * @return whether it was written
     * @throws RuntimeException if it is not known whether it was written
     */
    boolean renew(Claim held, Instant reservedUntil, Duration ttl);

    /**
     * Frees a worker id, if the entry still has the claim's owner and its {@link Claim#reservedUntil()}.
     *
     * @param held the claim as it was last written
     * @param reservedUntil the end of the time that was really used, which may be earlier than the claim's
     * @return whether it was written
     * @throws RuntimeException if it is not known whether it was written
     */
    boolean release(Claim held, Instant reservedUntil);

    /**
     * What one process claims: the worker id, and the ids of it whose timestamp is in a range of time.
     *
     * @param datacenterId the datacenter id
     * @param workerId the worker id
     * @param owner a random token that no other claim has, at most 36 characters
     * @param ownerInfo who that is, for people, at most 255 characters
     * @param reservedFrom the start of the reserved time, inclusive; needs to be kept nowhere
     * @param reservedUntil the end of the reserved time, exclusive, in whole milliseconds
     * @param layout what the ids are made of, at most 100 characters; equal for all claims of a namespace
     */
    record Claim(
            int datacenterId,
            int workerId,
            String owner,
            String ownerInfo,
            Instant reservedFrom,
            Instant reservedUntil,
            String layout) {

        /**
         * The same claim of a longer or shorter time.
         *
         * @param end the end of the reserved time
         * @return a claim that differs in this only
         */
        public Claim until(Instant end) {
            return new Claim(datacenterId, workerId, owner, ownerInfo, reservedFrom, end, layout);
        }
    }

    /**
     * What is kept of one worker id, from its first claim on, for ever.
     *
     * @param datacenterId the datacenter id
     * @param workerId the worker id
     * @param owner the token of the process that holds it; null if it is free
     * @param ownerInfo who that is, or was
     * @param reservedUntil all ids with an earlier timestamp may have been made
     * @param expiresAt when the claim ends, on the store's clock
     * @param layout what the ids are made of
     */
    record Entry(
            int datacenterId,
            int workerId,
            @Nullable String owner,
            @Nullable String ownerInfo,
            Instant reservedUntil,
            Instant expiresAt,
            String layout) {

        /**
         * Until when nobody else may lease the worker id. A store that lost its last commits in a failover may have forgotten a
         * renewal, so that is for another ttl after the claim has ended.
         *
         * @param ttl how long a claim is valid
         * @return a time on the store's clock; one long ago if the worker id is free
         */
        public Instant unavailableUntil(Duration ttl) {
            return owner == null ? Instant.MIN : expiresAt.plus(ttl);
        }

        /**
         * Whether a worker id's entry is still as it was, for stores that compare entries themselves: what {@link #acquire}, {@link
         * #renew} and {@link #release} demand.
         *
         * @param expected as it was; null if there was none
         * @param is as it is; null if there is none
         * @return whether there is none in both cases, or one with the same owner and {@link #reservedUntil()}
         */
        public static boolean matches(@Nullable Entry expected, @Nullable Entry is) {
            if (expected == null || is == null) {
                return expected == null && is == null;
            }
            return Objects.equals(expected.owner, is.owner) && expected.reservedUntil.equals(is.reservedUntil);
        }
    }

    /**
     * A namespace at one moment.
     *
     * @param now the store's clock
     * @param entries its entries, in any order
     * @param floor where the ids of a new claim begin at the earliest, whatever its entry says; for a store that may have
     *     forgotten entries. A process that acquires before then makes no ids until its clock has come there. Such a store
     *     must refuse claims that reserve time farther ahead of its clock than the floor lies, and {@link #acquire} checks the
     *     floor in the same atomic step that writes.
     */
    record Snapshot(Instant now, List<Entry> entries, Instant floor) {

        /**
         * Makes a snapshot.
         *
         * @param now the store's clock
         * @param entries its entries
         * @param floor where the ids of a new claim begin at the earliest
         */
        public Snapshot {
            entries = List.copyOf(entries);
        }

        /**
         * Makes a snapshot of a store that keeps all entries.
         *
         * @param now the store's clock
         * @param entries its entries
         */
        public Snapshot(Instant now, List<Entry> entries) {
            this(now, entries, Instant.EPOCH);
        }

        /**
         * The entry of a claim's worker id.
         *
         * @param claim what is looked for
         * @return its entry; null if there is none
         */
        public @Nullable Entry entryOf(Claim claim) {
            return entryOf(claim.datacenterId(), claim.workerId());
        }

        /**
         * The entry of a worker id.
         *
         * @param datacenterId the datacenter id
         * @param workerId the worker id
         * @return its entry; null if there is none
         */
        public @Nullable Entry entryOf(int datacenterId, int workerId) {
            return entries.stream()
                    .filter(entry -> entry.datacenterId() == datacenterId && entry.workerId() == workerId)
                    .findFirst()
                    .orElse(null);
        }

        /**
         * Whether a claim stands in the registry as it was written, neither renewed nor replaced.
         *
         * @param claim what is looked for
         * @return whether the entry has its owner and its {@link Claim#reservedUntil()}
         */
        public boolean contains(Claim claim) {
            Entry entry = entryOf(claim);
            return entry != null
                    && claim.owner().equals(entry.owner())
                    && claim.reservedUntil().equals(entry.reservedUntil());
        }
    }
}
