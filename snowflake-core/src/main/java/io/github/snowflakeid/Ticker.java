package io.github.snowflakeid;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Looks at the clock once a tick, at least every 10 ms, for all callers, while many ask: reading a clock takes ten times as
 * long as claiming a slot. Its thread exists only while that pays off; it begins when many ids fall into one tick, and ends
 * when few have for a while.
 *
 * <p>Nothing depends on its being in time. It lets callers do without the clock for as many slots as they claim in the time of
 * two looks, and not further than the drift goes. Where it is late, these slots are used up, under a tick that has passed
 * meanwhile; then a caller looks at the clock in its place. So while the load lasts, timestamps are about two looks old at
 * most, also where processors are busy and threads wake up late. For older ones the load must fall just while it is late.
 *
 * <p>Callers who look in its place may do so while it ends. They ask whether it still runs after they have set a limit, it
 * takes the limit away after it has said that it does not: one of the two sees the other.
 */
final class Ticker {

    /** A look finds it quiet where less than this part of many ids were claimed since the one before. */
    private static final int FEW = 4;

    /** It ends after so many quiet looks ... */
    private static final int QUIET_LOOKS = 64;

    /** ... of which a busy one makes up for so many: load comes in bursts, but a batch now and then is no load. */
    private static final int BUSY_LOOK = 16;

    /** How many looks' worth of slots it lets callers claim without the clock. */
    private static final int LOOKS_AHEAD = 2;

    private final SlotIssuer issuer;
    private final TimeSource time;
    private final TickClock ticks;
    private final String threadName;
    private final AtomicBoolean running = new AtomicBoolean();
    private volatile boolean closed;

    /** How many slots may be issued until the clock is looked at again. */
    private volatile long slots;

    Ticker(SlotIssuer issuer, TimeSource time, TickClock ticks, String threadName) {
        this.issuer = issuer;
        this.time = time;
        this.ticks = ticks;
        this.threadName = threadName;
        slots = many();
    }

    /** Begins, unless it has. For any thread, cheap if it has. */
    void begin() {
        if (running.get() || closed || !running.compareAndSet(false, true)) {
            return;
        }
        boolean started = false;
        try {
            time.start(threadName, this::run);
            started = true;
        } catch (OutOfMemoryError noMoreThreads) {
            // Ids are made without it as well. It is not tried again, so that not every call pays for that.
            closed = true;
        } finally {
            if (!started) {
                end();
            }
        }
    }

    boolean isRunning() {
        return running.get();
    }

    /** Looks at the clock in its place, if it runs. For any thread that has found a limit reached. */
    void standIn() {
        if (running.get()) {
            issuer.advance(slots);
            if (!running.get()) {
                issuer.unlimit();
            }
        }
    }

    /** Ends for good. The allocation has been replaced before. */
    void close() {
        closed = true;
    }

    private void run() {
        try {
            long few = many() / FEW;
            long before = issuer.advance(slots);
            long last = time.nanos();
            for (int quiet = 0; quiet < QUIET_LOOKS && !closed; ) {
                ticks.sleepToNext();
                long claimed = issuer.claimedSince(before);
                quiet = claimed < few ? quiet + 1 : Math.max(0, quiet - BUSY_LOOK);
                long now = time.nanos();
                slots = enough(claimed, now - last);
                last = now;
                before = issuer.advance(slots);
            }
        } finally {
            end();
        }
    }

    /** Falls by no more than half: where callers have looked meanwhile, more was claimed than is counted. */
    private long enough(long claimed, long nanos) {
        double looks = (double) nanos / TimeUnit.MILLISECONDS.toNanos(ticks.millisToLookAgain());
        long inALook = (long) (claimed / Math.max(looks, 1));
        return Math.max(many(), Math.max(LOOKS_AHEAD * inALook, slots / 2));
    }

    private long many() {
        return ticks.millisToLookAgain() * time.manyInAMillisecond();
    }

    private void end() {
        running.set(false);
        issuer.unlimit();
    }
}
