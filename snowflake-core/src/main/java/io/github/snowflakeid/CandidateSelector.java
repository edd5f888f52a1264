package io.github.snowflakeid;

import io.github.snowflakeid.WorkerIdUnavailableException.Reason;
import io.github.snowflakeid.WorkerRegistry.Claim;
import io.github.snowflakeid.WorkerRegistry.Entry;
import io.github.snowflakeid.WorkerRegistry.Snapshot;
import io.github.snowflakeid.internal.ControlCharacters;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Selects the worker ID to lease, by the entries of a registry, or explains why there is none. The candidates, best
 * first:
 *
 * <ol>
 *   <li>a released worker ID, if the clock has passed its last ID;
 *   <li>a worker ID above all worker IDs that were ever used;
 *   <li>a worker ID whose lease expired at least one ttl ago;
 *   <li>a worker ID without an entry between others that have one: its entry may have been deleted while its holder
 *       still issues IDs;
 *   <li>a released or expired worker ID, if the clock will soon have passed its last ID;
 *   <li>a worker ID whose entry did not answer.
 * </ol>
 *
 * <p>Not safe for use by several threads.
 */
final class CandidateSelector {

    /**
     * The {@code reservedUntil} of an entry whose worker ID has no issued ID. The layout of such an entry does not
     * matter.
     */
    static final Instant NEVER_USED = Instant.EPOCH;

    /** The number of unused worker IDs that a process selects from after it has lost a race. */
    private static final int SPREAD = 64;

    /** The ranks of candidates, best first. */
    private enum Rank {
        RELEASED,
        ABOVE_ALL,
        EXPIRED,
        MISSING,
        PASSED_SOON,
        AVOIDED
    }

    private final LeaseTerms terms;
    private final IdLayout layout;
    private final TimeSource time;

    /** The numbers of worker IDs whose entries did not answer. */
    private final Set<Long> avoided = new HashSet<>();

    private boolean raceLost;

    CandidateSelector(LeaseTerms terms, IdLayout layout, TimeSource time) {
        this.terms = terms;
        this.layout = layout;
        this.time = time;
    }

    /**
     * A worker ID that may be leased.
     *
     * @param entry its entry in the registry; null if it was never used
     */
    record Candidate(
            int datacenterId, int workerId, @Nullable Entry entry) {

        /** Returns the instant before which all IDs may have been issued. */
        Instant used() {
            return entry == null ? NEVER_USED : entry.reservedUntil();
        }
    }

    /** Records that another process was faster, so that the next worker ID is selected at random. */
    void raceLost() {
        raceLost = true;
    }

    /** Avoids a worker ID because its entry may not answer: it is selected only if there is no other candidate. */
    void avoid(Claim claim) {
        avoided.add(numberOf(claim.datacenterId(), claim.workerId()));
    }

    /** Records that a worker ID was leased: forgets lost races and avoided worker IDs. */
    void done() {
        raceLost = false;
        avoided.clear();
    }

    /**
     * Selects a worker ID.
     *
     * @param now the trusted time
     * @param tolerated how far IDs may be ahead of the clock
     * @throws WorkerIdUnavailableException if there is no candidate
     */
    Candidate select(Snapshot seen, Instant now, Duration tolerated) {
        // After a restart, the tick of the last ID may not be over yet.
        Instant soon = now.plus(layout.tick()).plus(terms.maxClockSkew()).plus(tolerated);
        SortedMap<Rank, List<Candidate>> ranked = new TreeMap<>();
        Set<Long> used = new HashSet<>();
        long first = numberOf(terms.datacenterId().orElse(0), 0);
        long highest = first - 1;
        for (Entry entry : entriesOf(seen)) {
            long number = numberOf(entry.datacenterId(), entry.workerId());
            used.add(number);
            highest = Math.max(highest, number);
            Instant begin = beginOf(entry);
            if (isFree(entry, seen) && !begin.isAfter(soon)) {
                Rank rank = entry.owner() == null ? Rank.RELEASED : Rank.EXPIRED;
                add(ranked, begin.isAfter(now) ? Rank.PASSED_SOON : rank, number, entry);
            }
        }
        long last = numberOf(terms.datacenterId().orElse(layout.maxDatacenterId()), layout.maxWorkerId());
        addUnused(ranked, Rank.ABOVE_ALL, highest + 1, last, used);
        addUnused(ranked, Rank.MISSING, first, highest, used);
        if (ranked.isEmpty()) {
            throw allLeased(seen, now);
        }
        if (ranked.firstKey() == Rank.AVOIDED) {
            avoided.clear();
        }
        return pick(ranked.values().iterator().next());
    }

    /**
     * Returns the lowest candidate; after a lost race a random one, so that the same processes hardly compete again.
     */
    private Candidate pick(List<Candidate> candidates) {
        return raceLost
                ? candidates.get(time.draw(candidates.size()))
                : Collections.min(
                        candidates, Comparator.comparingLong(each -> numberOf(each.datacenterId, each.workerId)));
    }

    private void add(SortedMap<Rank, List<Candidate>> ranked, Rank rank, long number, @Nullable Entry entry) {
        Candidate candidate =
                new Candidate((int) (number >>> layout.workerBits()), (int) number & layout.maxWorkerId(), entry);
        ranked.computeIfAbsent(avoided.contains(number) ? Rank.AVOIDED : rank, key -> new ArrayList<>())
                .add(candidate);
    }

    private void addUnused(SortedMap<Rank, List<Candidate>> ranked, Rank rank, long first, long last, Set<Long> used) {
        int missing = raceLost ? SPREAD : 1;
        for (long number = first; number <= last && missing > 0; number++) {
            if (!used.contains(number)) {
                add(ranked, rank, number, null);
                missing -= avoided.contains(number) ? 0 : 1;
            }
        }
    }

    /**
     * Returns the instant at which the IDs of the next holder begin: the start of the first tick without any issued ID.
     */
    private Instant beginOf(Entry entry) {
        return layout.timestampOf(layout.tickAtOrAfter(entry.reservedUntil()));
    }

    private boolean isFree(Entry entry, Snapshot seen) {
        return !entry.unavailableUntil(terms.ttl()).isAfter(seen.now());
    }

    private static Instant earliest(List<Entry> entries, Function<Entry, Instant> when) {
        return entries.stream().map(when).min(Comparator.naturalOrder()).orElseThrow();
    }

    /**
     * Returns the entries, without entries of other datacenter IDs and entries whose datacenter ID or worker ID does
     * not fit the layout.
     */
    private List<Entry> entriesOf(Snapshot seen) {
        return seen.entries().stream()
                .filter(entry -> isIn(layout.maxDatacenterId(), entry.datacenterId()))
                .filter(entry -> isIn(layout.maxWorkerId(), entry.workerId()))
                .filter(entry -> terms.datacenterId().orElse(entry.datacenterId()) == entry.datacenterId())
                .toList();
    }

    private static boolean isIn(int max, int id) {
        return 0 <= id && id <= max;
    }

    /** Returns the datacenter ID and the worker ID as one number. */
    private long numberOf(int datacenterId, int workerId) {
        return ((long) datacenterId << layout.workerBits()) | workerId;
    }

    private WorkerIdUnavailableException allLeased(Snapshot seen, Instant now) {
        OptionalInt datacenter = terms.datacenterId();
        String where = datacenter.isPresent() ? "datacenter ID %s in ".formatted(datacenter.getAsInt()) : "";
        where += "namespace '%s'".formatted(terms.registry().namespace());
        List<Entry> used = entriesOf(seen);
        List<Entry> free = used.stream().filter(entry -> isFree(entry, seen)).toList();
        String found;
        if (free.isEmpty()) {
            Instant next = earliest(used, entry -> entry.unavailableUntil(terms.ttl()));
            long seconds = Duration.between(seen.now(), next).toSeconds() + 1;
            found = "All %s worker IDs of %s are leased; the next lease expires in %s s"
                    .formatted(used.size(), where, seconds);
        } else {
            found =
                    ("No worker ID of %s can be leased (leased: %s, free: %s): IDs of free ones begin at %s, but this machine's clock"
                                    + " is at %s; correct the clock if it is behind, or wait until then")
                            .formatted(
                                    where, used.size() - free.size(), free.size(), earliest(free, this::beginOf), now);
        }
        return new WorkerIdUnavailableException(Reason.ALL_LEASED, found, null);
    }

    // ---- checks that rule out all worker IDs

    /**
     * Checks the skew between the clocks of this machine and of the registry.
     *
     * @throws WorkerIdUnavailableException if it is too large
     */
    void checkSkew(ClockedSnapshot reading) {
        Duration skew = reading.skew();
        if (skew.abs().compareTo(terms.maxClockSkew()) > 0) {
            String found =
                    "No worker ID leased: this machine's clock is %s ms %s the registry's clock (%s here, %s there; tolerated: %s ms)"
                            .formatted(
                                    skew.abs().toMillis(),
                                    skew.isNegative() ? "ahead of" : "behind",
                                    reading.here(),
                                    reading.seen().now(),
                                    terms.maxClockSkew().toMillis());
            throw new WorkerIdUnavailableException(Reason.CLOCK_SKEW, found, null);
        }
    }

    /**
     * Checks that the namespace has no IDs of another layout.
     *
     * @return whether any worker ID of the namespace was ever used; if not, its layout is not known yet
     * @throws WorkerIdUnavailableException if the namespace has IDs of another layout
     */
    boolean checkLayouts(Snapshot seen) {
        boolean anyUsed = false;
        for (Entry entry : seen.entries()) {
            boolean neverUsed = entry.owner() == null && entry.reservedUntil().equals(NEVER_USED);
            if (!neverUsed && !entry.layout().equals(layout.fingerprint())) {
                String other = ControlCharacters.escape(entry.layout());
                String found =
                        "No worker ID leased: namespace '%s' has IDs of layout %s, but this process is configured for layout %s"
                                .formatted(terms.registry().namespace(), other, layout.fingerprint());
                throw new WorkerIdUnavailableException(Reason.LAYOUT_MISMATCH, found, null);
            }
            anyUsed |= !neverUsed;
        }
        return anyUsed;
    }
}
