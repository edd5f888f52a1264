package io.github.snowflakeid;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.time.Duration;
import java.time.InstantSource;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LL_Result;
import org.openjdk.jcstress.infra.results.L_Result;

/** Tests each race of {@link SnowflakeIdGenerator} and {@link Allocation} in isolation, millions of times. */
public final class ConcurrencyStress {

    /** Sixteen IDs fill a tick. The clock is in tick 100 of the layout unless a race moves it. */
    private static final IdLayout LAYOUT =
            IdLayout.builder().datacenterBits(0).workerBits(4).sequenceBits(4).build();

    private static final long GRANTED = 100;
    private static final long FENCE = 200;

    private ConcurrencyStress() {}

    /** A clock that races set, and a ticker that races run. */
    private static final class World extends TimeSource {
        private volatile long tick = GRANTED;
        private Runnable ticker = () -> {};

        World() {
            super(InstantSource.system());
        }

        @Override
        boolean isSystem() {
            return false;
        }

        @Override
        int manyInAMillisecond() {
            return 16;
        }

        @Override
        long millis() {
            return LAYOUT.epoch().toEpochMilli() + tick;
        }

        /** Advances quickly, so that no thread waits long for a clock that stands still. */
        @Override
        long nanos() {
            return super.nanos() << 20;
        }

        @Override
        Thread start(String name, Runnable body) {
            ticker = body;
            return new Thread(body);
        }
    }

    /** The common base of all races. */
    private abstract static class Race {
        final World world = new World();
        final SnowflakeIdGenerator generator;

        Race() {
            this(Duration.ZERO);
        }

        Race(Duration maxDrift) {
            generator = SnowflakeIdGenerator.builder()
                    .layout(LAYOUT)
                    .time(world)
                    .worker(WorkerIdAssigner.fixed(0, 1))
                    .maxDrift(maxDrift)
                    .maxWait(Duration.ZERO)
                    .build();
        }

        /** Returns an ID, or 0 if none could be generated. */
        final long id() {
            try {
                return generator.nextId();
            } catch (SnowflakeException e) {
                return 0;
            }
        }
    }

    /** A lease is lost during a claim, and another one is then granted. */
    private abstract static class LeaseRace extends Race {
        private final Allocation first;
        long last;

        LeaseRace() {
            first = generator.allocation();
            generator.advance(1000);
        }

        final void changeLease() {
            Allocation vacancy = first.vacant();
            generator.replace(first, vacancy);
            last = vacancy.lastTick();
            generator.replace(vacancy, leased(2, generator.firstSlot(0, FENCE)));
        }

        /** @param id the ID that was generated in the meantime, 0 for none */
        final void judge(long id, LL_Result result) {
            boolean ofFirst = id != 0 && LAYOUT.decode(id).workerId() == 1;
            result.r1 = !ofFirst || slotOf(id) >>> 4 <= last;
            world.tick = FENCE - 1;
            result.r2 = id() > id;
        }
    }

    /** A generator that has issued IDs joins another open generator with the same worker ID. */
    private abstract static class JoinRace extends Race {
        static final long LAST_OF_NEWCOMER = GRANTED + 3;

        private static final WorkerId WORKER = new WorkerId(0, 2, "test");
        private static final Allocation.Grant GRANT =
                new Allocation.Grant(WORKER, LAYOUT, 0, LAYOUT.endTick(), Long.MAX_VALUE);

        private final long[] shared = new long[SharedAllocation.LENGTH];
        private final SnowflakeIdGenerator newcomer = SnowflakeIdGenerator.builder()
                .layout(LAYOUT)
                .time(world)
                .worker(WorkerIdAssigner.fixed(0, 3))
                .maxDrift(Duration.ofMillis(5))
                .maxWait(Duration.ZERO)
                .build();

        JoinRace() {
            super(Duration.ofMillis(10));
            open(generator, Allocation.none(WORKER));
            generator.advance(1000);
        }

        private void open(SnowflakeIdGenerator opened, Allocation closed) {
            opened.replace(opened.allocation(), SharedAllocation.open(GRANT, shared, GRANTED << 4, closed));
        }

        /** Returns an ID of the joining generator after it has joined. */
        final long joined() {
            open(newcomer, Allocation.assigned(GRANT, 0, LAST_OF_NEWCOMER, Allocation.none(WORKER)));
            return newcomer.nextId();
        }
    }

    private static Allocation leased(int workerId, long firstSlot) {
        WorkerId worker = new WorkerId(0, workerId, "test");
        return Allocation.leased(
                new Allocation.Grant(worker, LAYOUT, 0, FENCE, FENCE), firstSlot, Allocation.none(worker));
    }

    private static String verdict(long one, long other) {
        return one == other && one != 0 ? "equal" : "different";
    }

    private static long slotOf(long id) {
        IdFields fields = LAYOUT.decode(id);
        return (LAYOUT.tickAtOrAfter(fields.timestamp()) << 4) + fields.sequence();
    }

    @JCStressTest
    @Outcome(id = "different", expect = ACCEPTABLE, desc = "No id twice.")
    @Outcome(expect = FORBIDDEN, desc = "An id twice.")
    @State
    public static class ClaimAgainstClaim extends Race {
        private long one;
        private long other;

        @Actor
        public void one() {
            one = id();
        }

        @Actor
        public void other() {
            other = id();
        }

        @Arbiter
        public void look(L_Result result) {
            result.r1 = verdict(one, other);
        }
    }

    @JCStressTest
    @Outcome(id = "different", expect = ACCEPTABLE, desc = "No id twice.")
    @Outcome(expect = FORBIDDEN, desc = "An id twice.")
    @State
    public static class ClaimAgainstBatch extends Race {
        private long one;
        private long[] others = {};

        @Actor
        public void one() {
            one = id();
        }

        @Actor
        public void others() {
            others = generator.nextIds(8);
        }

        @Arbiter
        public void look(L_Result result) {
            result.r1 = "different";
            for (long other : others) {
                if (other == one) {
                    result.r1 = "equal";
                }
            }
        }
    }

    /** Two threads claim in a tick that one of them enters first. */
    @JCStressTest
    @Outcome(id = "different", expect = ACCEPTABLE, desc = "No id twice.")
    @Outcome(expect = FORBIDDEN, desc = "An id twice.")
    @State
    public static class ClaimAgainstTickChange extends Race {
        private long one;
        private long other;

        @Actor
        public void one() {
            world.tick = GRANTED + 1;
            one = id();
        }

        @Actor
        public void other() {
            other = id();
        }

        @Arbiter
        public void look(L_Result result) {
            result.r1 = verdict(one, other);
        }
    }

    @JCStressTest
    @Outcome(id = "ascending", expect = ACCEPTABLE, desc = "Each id greater than the one before.")
    @Outcome(expect = FORBIDDEN, desc = "An id twice, or one of the past, or none.")
    @State
    public static class ClaimAgainstTicker extends Race {
        private final long before;
        private long one;
        private long other;

        public ClaimAgainstTicker() {
            generator.advance(1000);
            before = id();
        }

        @Actor
        public void claims() {
            one = id();
            other = id();
        }

        @Actor
        public void ticker() {
            world.tick = GRANTED + 1;
            generator.advance(1000);
        }

        @Arbiter
        public void look(L_Result result) {
            long after = id();
            result.r1 = before < one && one < other && other < after ? "ascending" : "not";
        }
    }

    /** A tick ends during a batch that does not read the clock, while another thread claims. */
    @JCStressTest
    @Outcome(id = "ascending", expect = ACCEPTABLE, desc = "No id twice, each greater than the one before.")
    @Outcome(expect = FORBIDDEN, desc = "An id twice, or not ascending, or none.")
    @State
    public static class BatchAgainstTicker extends Race {
        private long[] batch = {};
        private long one;
        private long other;

        public BatchAgainstTicker() {
            generator.advance(1000);
        }

        @Actor
        public void batch() {
            batch = generator.nextIds(8);
        }

        @Actor
        public void ticker() {
            one = id();
            world.tick = GRANTED + 1;
            generator.advance(1000);
            other = id();
        }

        @Arbiter
        public void look(L_Result result) {
            long after = id();
            boolean ascending = one != 0 && one < other && other < after;
            long before = 0;
            for (long id : batch) {
                ascending &= before < id && id < after && id != one && id != other;
                before = id;
            }
            result.r1 = ascending && batch.length == 8 ? "ascending" : "not";
        }
    }

    /** Two threads enter a tick at the same time, and one of them claims before. Neither goes beyond the tick. */
    @JCStressTest
    @Outcome(id = "within", expect = ACCEPTABLE, desc = "The next id is of the clock's tick.")
    @Outcome(expect = FORBIDDEN, desc = "Ids are ahead of the clock.")
    @State
    public static class TickChangeAgainstTickChange extends Race {

        public TickChangeAgainstTickChange() {
            generator.advance(1000);
            world.tick = GRANTED + 10;
        }

        @Actor
        public void ticker() {
            generator.advance(1000);
        }

        @Actor
        public void standsIn() {
            id();
            generator.advance(1000);
        }

        @Arbiter
        public void look(L_Result result) {
            result.r1 = slotOf(id()) >>> 4 == GRANTED + 10 ? "within" : "beyond";
        }
    }

    /** A caller that reads the clock in place of an ending ticker leaves no limit behind, which no thread would maintain. */
    @JCStressTest
    @Outcome(id = "true, true", expect = ACCEPTABLE, desc = "Every caller looks at the clock.")
    @Outcome(expect = FORBIDDEN, desc = "A limit that nobody keeps.")
    @State
    public static class StandInAgainstEndOfTicker extends Race {
        public StandInAgainstEndOfTicker() {
            generator.many();
            generator.advance(1000);
        }

        @Actor
        public void standsIn() {
            generator.standIn();
        }

        @Actor
        public void ends() {
            generator.endTicker();
        }

        @Arbiter
        public void look(LL_Result result) {
            result.r1 = generator.allocation().limit() == Allocation.NO_LIMIT;
            world.tick = GRANTED + 5;
            result.r2 = slotOf(id()) >>> 4 == GRANTED + 5;
        }
    }

    /** No ID is at or past the fence before the move of the fence was confirmed, with a ticker's limit and without. */
    @JCStressTest
    @Outcome(id = "within", expect = ACCEPTABLE, desc = "Below the fence, or it was moved.")
    @Outcome(expect = FORBIDDEN, desc = "Beyond the fence.")
    @State
    public static class ClaimAgainstFence extends Race {
        private final Allocation leased = leased(1, FENCE * 16 - 1);
        private volatile boolean confirmed;
        private long beforeConfirmation;

        public ClaimAgainstFence() {
            super(Duration.ofSeconds(1));
            generator.replace(generator.allocation(), leased);
            generator.advance(1000);
        }

        @Actor
        public void claim() {
            for (int i = 0; i < 3; i++) {
                long id = id();
                if (!confirmed) {
                    beforeConfirmation = Math.max(beforeConfirmation, id);
                }
            }
        }

        @Actor
        public void renewal() {
            confirmed = true;
            leased.moveFence(FENCE + 10, FENCE + 5);
            generator.advance(1000);
        }

        @Arbiter
        public void look(L_Result result) {
            result.r1 = beforeConfirmation == 0 || slotOf(beforeConfirmation) < FENCE * 16 ? "within" : "beyond";
        }
    }

    /**
     * An ID that is issued despite a close is known to the close: the last tick that the close reports is not before the tick of the ID.
     */
    @JCStressTest
    @Outcome(id = "true, true", expect = ACCEPTABLE, desc = "Known, and closed after.")
    @Outcome(expect = FORBIDDEN, desc = "Issued and not known, or issued after.")
    @State
    public static class ClaimAgainstClose extends Race {
        private long id;
        private long last;

        public ClaimAgainstClose() {
            generator.advance(1000);
            world.tick = GRANTED + 5;
        }

        @Actor
        public void claim() {
            id = id();
        }

        @Actor
        public void close() {
            generator.close();
            last = generator.lastTick();
        }

        @Arbiter
        public void look(LL_Result result) {
            result.r1 = id == 0 || slotOf(id) >>> 4 <= last;
            result.r2 = id() == 0;
        }
    }

    /**
     * The lease is lost and another one is granted while an ID is claimed. The ID belongs to one of the leases; if it belongs to the first,
     * the close knows it.
     */
    @JCStressTest
    @Outcome(id = "true, true", expect = ACCEPTABLE, desc = "Of either lease, and known.")
    @Outcome(expect = FORBIDDEN, desc = "Of a lost lease and not known, or not ascending.")
    @State
    public static class ClaimAgainstChangeOfLease extends LeaseRace {
        private long id;

        @Actor
        public void claim() {
            id = id();
        }

        @Actor
        public void change() {
            changeLease();
        }

        @Arbiter
        public void look(LL_Result result) {
            judge(id, result);
        }
    }

    /** The same for tryNextId: the ID belongs to one of the leases, or there is none. */
    @JCStressTest
    @Outcome(id = "true, true", expect = ACCEPTABLE, desc = "Of either lease, and known, or none.")
    @Outcome(expect = FORBIDDEN, desc = "Of a lost lease and not known, or not ascending.")
    @State
    public static class TryAgainstChangeOfLease extends LeaseRace {
        private long id;

        @Actor
        public void attempt() {
            id = generator.tryNextId().orElse(0);
        }

        @Actor
        public void change() {
            changeLease();
        }

        @Arbiter
        public void look(LL_Result result) {
            judge(id, result);
        }
    }

    /** tryNextId against nextId: no ID is issued twice, whichever comes first. */
    @JCStressTest
    @Outcome(id = "different", expect = ACCEPTABLE, desc = "No id twice.")
    @Outcome(expect = FORBIDDEN, desc = "An id twice.")
    @State
    public static class TryAgainstClaim extends Race {
        private long one;
        private long other;

        @Actor
        public void one() {
            one = generator.tryNextId().orElse(0);
        }

        @Actor
        public void other() {
            other = id();
        }

        @Arbiter
        public void look(L_Result result) {
            result.r1 = verdict(one, other);
        }
    }

    /** The same for a batch: each ID belongs to one of the leases; IDs of the first lease are known to the close. */
    @JCStressTest
    @Outcome(id = "true, true", expect = ACCEPTABLE, desc = "Of either lease, and known.")
    @Outcome(expect = FORBIDDEN, desc = "Of a lost lease and not known, or not ascending.")
    @State
    public static class BatchAgainstChangeOfLease extends LeaseRace {
        private long[] batch = {};

        @Actor
        public void claim() {
            try {
                batch = generator.nextIds(8);
            } catch (SnowflakeException e) {
                // The clock stands still, and the tick of the second lease is full.
            }
        }

        @Actor
        public void change() {
            changeLease();
        }

        @Arbiter
        public void look(LL_Result result) {
            boolean known = true;
            long before = 0;
            boolean ascending = true;
            for (long id : batch) {
                known &= LAYOUT.decode(id).workerId() != 1 || slotOf(id) >>> 4 <= last;
                ascending &= before < id;
                before = id;
            }
            world.tick = FENCE - 1;
            result.r1 = known;
            result.r2 = ascending && id() > before;
        }
    }

    /** The joining generator claims after its own IDs, whatever the other generator claims in the meantime. */
    @JCStressTest
    @Outcome(id = "true, true", expect = ACCEPTABLE, desc = "Different, and behind what the newcomer made.")
    @Outcome(expect = FORBIDDEN, desc = "An id twice, or one that goes back.")
    @State
    public static class JoinAgainstClaim extends JoinRace {
        private long one;
        private long other;

        @Actor
        public void claim() {
            one = id();
        }

        @Actor
        public void join() {
            other = joined();
        }

        @Arbiter
        public void look(LL_Result result) {
            result.r1 = one != 0 && one != other;
            result.r2 = slotOf(other) >>> 4 > LAST_OF_NEWCOMER;
        }
    }

    /** Meanwhile, the ticker of the open generator enters a tick and sets a limit. */
    @JCStressTest
    @Outcome(id = "behind", expect = ACCEPTABLE, desc = "Behind what the newcomer issued.")
    @Outcome(expect = FORBIDDEN, desc = "An ID that goes back.")
    @State
    public static class JoinAgainstTicker extends JoinRace {
        private long other;

        @Actor
        public void tick() {
            generator.advance(1000);
        }

        @Actor
        public void join() {
            other = joined();
        }

        @Arbiter
        public void look(L_Result result) {
            result.r1 = slotOf(other) >>> 4 > LAST_OF_NEWCOMER ? "behind" : "not";
        }
    }

    /** Two generators get one fixed worker ID, claim a slot and release it. The map of this process keeps their slots apart. */
    @JCStressTest
    @Outcome(id = "different", expect = ACCEPTABLE, desc = "No slot twice.")
    @Outcome(expect = FORBIDDEN, desc = "A slot twice.")
    @State
    public static class OpenAndCloseAgainstOpenAndClose {
        private static final TimeSource SYSTEM = new TimeSource(TimeSource.SYSTEM);
        private static final WorkerId WORKER = new WorkerId(0, 4, "test");
        private static final Allocation.Grant GRANT =
                new Allocation.Grant(WORKER, LAYOUT, 0, LAYOUT.endTick(), Long.MAX_VALUE);

        private long one;
        private long other;

        private static long slot() {
            Allocation mine = AssignedWorkers.open(GRANT, SYSTEM, GRANTED << 4, Allocation.none(WORKER));
            long slot = mine.claim(1);
            AssignedWorkers.close(mine);
            return slot;
        }

        @Actor
        public void one() {
            one = slot();
        }

        @Actor
        public void other() {
            other = slot();
        }

        @Arbiter
        public void look(L_Result result) {
            result.r1 = verdict(one, other);
        }
    }

    /**
     * The last generator of a fixed worker ID is closed and opened again while a caller claims. Another process may have used the worker ID
     * in between, so the caller's IDs are known to the close or follow the close.
     */
    @JCStressTest
    @Outcome(id = "true", expect = ACCEPTABLE, desc = "Known to the close, or of the new allocation.")
    @Outcome(expect = FORBIDDEN, desc = "Of the old allocation and not known.")
    @State
    public static class BatchAgainstReopening extends Race {
        private final Allocation first;
        private long[] batch = {};
        private long last;

        public BatchAgainstReopening() {
            super(Duration.ofDays(1000));
            first = generator.allocation();
            generator.advance(1000);
        }

        @Actor
        public void claim() {
            try {
                batch = generator.nextIds(16);
            } catch (GeneratorClosedException e) {
                // The call failed, so there are no IDs.
            }
        }

        @Actor
        public void reopen() {
            Allocation closed = first.closed();
            generator.replace(first, closed);
            last = closed.lastTick();
            WorkerId worker = new WorkerId(0, 1, "test");
            Allocation.Grant grant = new Allocation.Grant(worker, LAYOUT, 0, LAYOUT.endTick(), Long.MAX_VALUE);
            generator.replace(closed, Allocation.assigned(grant, (last + 3) << 4, last, closed));
        }

        @Arbiter
        public void look(L_Result result) {
            boolean known = true;
            for (long id : batch) {
                long tick = slotOf(id) >>> 4;
                known &= tick <= last || tick >= last + 3;
            }
            result.r1 = known;
        }
    }
}
