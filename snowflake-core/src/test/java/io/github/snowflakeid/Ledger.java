package io.github.snowflakeid;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Records which ranges the table of leases has committed and which process wrote them, and checks each ID when it is
 * issued: it must lie in a range that its process has written, that is, not before the start of the grant and before
 * the end of the reservation; and it must not have been issued before.
 *
 * <p>No range may be reserved far ahead of the true time, however wrong the clock of a process is.
 *
 * <p>The ranges of a worker ID follow one another: each write reserves from the end of the previous range. A copy of a
 * process writes separate ranges under the same token.
 */
final class Ledger {

    /**
     * A process and the token under which it writes. A copy of the process, which uses the same token, is another
     * origin.
     */
    record Origin(Object process, String token) {}

    /** A process that issues IDs from the ranges that it has written. */
    interface Maker {

        /** Returns whether the process has written the range of an origin. */
        boolean mayUse(Origin origin);
    }

    /** Thrown if an invariant of the protocol is violated. */
    static final class Violation extends AssertionError {
        private static final long serialVersionUID = 1L;

        Violation(String message) {
            super(message);
        }
    }

    private static final int REMEMBERED = 40;

    /** More than the sum of a ttl, the drift and the usual clock skew. */
    private static final Duration FAR = Duration.ofDays(1);

    private final Simulation simulation;
    private final IdLayout layout;
    private final int sequenceBits;
    private final int nodeBits;
    private final long tickMillis;
    private final Map<Integer, Worker> workers = new TreeMap<>();
    private long ids;
    private long hash;

    Ledger(Simulation simulation, IdLayout layout) {
        this.simulation = simulation;
        this.layout = layout;
        sequenceBits = layout.sequenceBits();
        nodeBits = layout.datacenterBits() + layout.workerBits();
        tickMillis = layout.tick().toMillis();
    }

    /** Returns how many IDs were issued. */
    long ids() {
        return ids;
    }

    /** Returns a hash that is equal if the same IDs were issued in the same order. */
    long hash() {
        return hash;
    }

    /** Returns the latest time of any ID or reservation, in milliseconds since 1970. */
    long end() {
        long end = 0;
        for (Worker worker : workers.values()) {
            end = Math.max(end, layout.epoch().toEpochMilli() + worker.endTick() * tickMillis);
        }
        return end;
    }

    /** Records a write that reserves ticks from the end of the previous range. */
    void reserved(Object who, Origin origin, int datacenterId, int workerId, Instant from, Instant to, String how) {
        Worker worker = worker(datacenterId, workerId);
        worker.record(how, who, tickAtOrAfter(from), tickAtOrAfter(to));
        if (to.isAfter(simulation.now().plus(FAR))) {
            throw worker.violation("%s reserves up to %s at %s", who, to, simulation.now());
        }
        worker.reserve(origin, tickAtOrAfter(from), tickAtOrAfter(to));
    }

    /** Records a write that releases a worker ID from a tick on. */
    void released(Object writer, int datacenterId, int workerId, Instant used) {
        Worker worker = worker(datacenterId, workerId);
        worker.record("released by", writer, tickAtOrAfter(used), -1);
        worker.release(writer, tickAtOrAfter(used));
    }

    /** Records an event that may explain a violation. */
    void happened(String what, Object who, int datacenterId, int workerId) {
        worker(datacenterId, workerId).record(what, who, -1, -1);
    }

    /** Checks that a process has reserved the time before a fence that its generator uses. */
    void believed(Maker holder, int datacenterId, int workerId, Instant fence) {
        worker(datacenterId, workerId).believe(holder, tickAtOrAfter(fence));
    }

    /** Records the IDs that a call has returned, in this order: IDs of the same worker ID and tick are consecutive. */
    void issued(Maker maker, long[] batch) {
        int from = 0;
        for (int i = 1; i <= batch.length; i++) {
            if (i == batch.length || batch[i] != batch[i - 1] + 1) {
                issued(maker, batch[from], i - from);
                from = i;
            }
        }
    }

    /** Records consecutive IDs that a call has returned. */
    void issued(Maker maker, long first, long count) {
        long last = first + count - 1;
        long node = (first >>> sequenceBits) & ((1L << nodeBits) - 1);
        if (node != ((last >>> sequenceBits) & ((1L << nodeBits) - 1))) {
            // The numbers span two worker IDs: the last sequence number of one and the first of the next.
            for (long id = first; id <= last; id++) {
                issued(maker, id, 1);
            }
            return;
        }
        Worker worker = worker((int) (node >>> layout.workerBits()), (int) (node & ((1L << layout.workerBits()) - 1)));
        worker.use(maker, slotOf(first), slotOf(last));
        ids += count;
        hash = hash * 31 + first;
        hash = hash * 31 + count;
    }

    private long slotOf(long id) {
        return (id >>> (nodeBits + sequenceBits) << sequenceBits) | (id & ((1L << sequenceBits) - 1));
    }

    private long tickAtOrAfter(Instant instant) {
        long millis = instant.toEpochMilli() - layout.epoch().toEpochMilli();
        return millis <= 0 ? 0 : (millis + tickMillis - 1) / tickMillis;
    }

    private Worker worker(int datacenterId, int workerId) {
        return workers.computeIfAbsent(
                datacenterId << 16 | workerId, key -> new Worker("worker id %s/%s".formatted(datacenterId, workerId)));
    }

    private record Range(Origin origin, long from, long to) {}

    private record Event(long nanos, String what, Object who, long from, long to) {

        @Override
        public String toString() {
            return "%,15d us: %s %s%s%s"
                    .formatted(
                            nanos / 1000,
                            what,
                            who,
                            from < 0 ? "" : ", tick " + from,
                            to < 0 ? "" : " to " + to + " (exclusive)");
        }
    }

    private final class Worker {

        private final String name;
        private final List<Range> ranges = new ArrayList<>();
        private final Set<Range> empty = new LinkedHashSet<>();
        private final Deque<Event> events = new ArrayDeque<>();

        /** The slots of issued IDs: from the first slot of each consecutive run to its last slot. */
        private final TreeMap<Long, Long> used = new TreeMap<>();

        Worker(String name) {
            this.name = name;
        }

        void record(String what, Object who, long from, long to) {
            if (events.size() == REMEMBERED) {
                events.removeFirst();
            }
            events.addLast(new Event(simulation.nanos(), what, who, from, to));
        }

        private Violation violation(String what, Object... values) {
            Violation violation = new Violation("%s of %s; what led to it:%n  %s"
                    .formatted(
                            what.formatted(values),
                            name,
                            events.stream().map(Event::toString).collect(Collectors.joining("\n  "))));
            // Reported even if the simulated code catches the exception.
            simulation.fail(violation);
            return violation;
        }

        long endTick() {
            long reserved = ranges.isEmpty() ? 0 : ranges.get(ranges.size() - 1).to;
            return Math.max(
                    reserved, used.isEmpty() ? 0 : tickOf(used.lastEntry().getValue()) + 1);
        }

        void reserve(Origin origin, long from, long to) {
            if (to < from) {
                throw violation("%s reserves up to tick %s what is reserved up to tick %s", origin, to, from);
            }
            int last = ranges.size() - 1;
            if (last >= 0 && ranges.get(last).origin.equals(origin) && ranges.get(last).to == from) {
                ranges.set(last, new Range(origin, ranges.get(last).from, to));
            } else if (to > from) {
                ranges.add(new Range(origin, from, to));
            } else {
                empty.add(new Range(origin, from, to));
            }
        }

        void release(Object writer, long tick) {
            if (!used.isEmpty() && tickOf(used.lastEntry().getValue()) >= tick) {
                throw violation(
                        "%s releases from tick %s on, but ids were made up to tick %s",
                        writer, tick, tickOf(used.lastEntry().getValue()));
            }
            for (int last = ranges.size() - 1; last >= 0 && ranges.get(last).to > tick; last--) {
                Range cut = ranges.remove(last);
                if (cut.from < tick) {
                    // Replaced: a range of the same ticks exists already if a claim was released unchanged.
                    ranges.add(last, new Range(cut.origin, cut.from, tick));
                }
            }
        }

        void use(Maker maker, long first, long last) {
            for (long slot = first; slot <= last; ) {
                slot = Math.min(last + 1, rangeOf(maker, slot).to << sequenceBits);
            }
            Map.Entry<Long, Long> below = used.floorEntry(last);
            if (below != null && below.getValue() >= first) {
                throw violation(
                        "%s issues an ID twice, of tick %s, sequence %s",
                        maker, tickOf(first), first & ((1L << sequenceBits) - 1));
            }
            if (below != null && below.getValue() == first - 1) {
                used.put(below.getKey(), last);
            } else {
                used.put(first, last);
            }
        }

        void believe(Maker holder, long fence) {
            if (empty.stream().anyMatch(range -> range.from == fence && holder.mayUse(range.origin))) {
                return;
            }
            for (int i = ranges.size() - 1; i >= 0; i--) {
                Range range = ranges.get(i);
                if (range.from < fence && fence <= range.to) {
                    if (holder.mayUse(range.origin)) {
                        return;
                    }
                    break;
                }
            }
            throw violation("%s shows a fence at tick %s, up to which it has not reserved", holder, fence);
        }

        private Range rangeOf(Maker maker, long slot) {
            long tick = tickOf(slot);
            for (int i = ranges.size() - 1; i >= 0; i--) {
                Range range = ranges.get(i);
                if (range.from <= tick && tick < range.to) {
                    if (maker.mayUse(range.origin)) {
                        return range;
                    }
                    throw violation("%s issues an ID of tick %s, which %s has reserved", maker, tick, range.origin);
                }
            }
            throw violation("%s issues an ID of tick %s, which no holder has reserved", maker, tick);
        }

        private long tickOf(long slot) {
            return slot >>> sequenceBits;
        }
    }
}
