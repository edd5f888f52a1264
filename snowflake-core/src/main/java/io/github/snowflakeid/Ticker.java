package io.github.snowflakeid;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Looks at the clock once a tick, at least every 10 ms, for all callers, while many ask: reading a clock takes ten times as
 * long as claiming a slot. Its thread exists only while that pays off; it begins when many ids fall into one tick, and ends
 * when few have for a while.
 *
 * <p>Nothing depends on its being in time. While it is late, slots are issued up to the limit it has set before, which is as
 * far as the drift goes, under ticks that have passed meanwhile; from there on each caller looks at the clock itself.
 */
final class Ticker {

    /** A look finds it quiet where less than this part of many ids were claimed since the one before. */
    private static final int FEW = 4;

    /** It ends after so many quiet looks ... */
    private static final int QUIET_LOOKS = 64;

    /** ... of which a busy one makes up for so many: load comes in bursts, but a batch now and then is no load. */
    private static final int BUSY_LOOK = 16;

    private final SnowflakeIdGenerator generator;
    private final Time time;
    private final Ticks ticks;
    private final AtomicBoolean running = new AtomicBoolean();
    private volatile boolean closed;

    Ticker(SnowflakeIdGenerator generator, Time time, Ticks ticks) {
        this.generator = generator;
        this.time = time;
        this.ticks = ticks;
    }

    /** Begins, unless it has. For any thread, cheap if it has. */
    void begin() {
        if (running.get() || closed || !running.compareAndSet(false, true)) {
            return;
        }
        boolean again = true;
        try {
            time.start("snowflake-ticker", this::run);
            again = false;
        } catch (OutOfMemoryError noMoreThreads) {
            // Ids are made without it as well. It is not tried again, so that not every call pays for that.
            again = false;
        } finally {
            if (again) {
                running.set(false);
            }
        }
    }

    /** Ends for good. What the generator has allocated was replaced before. */
    void close() {
        closed = true;
    }

    private void run() {
        try {
            long few = ticks.millisToLookAgain() * time.manyInAMillisecond() / FEW;
            long before = generator.advance();
            for (int quiet = 0; quiet < QUIET_LOOKS && !closed; ) {
                ticks.sleepToNext();
                quiet = generator.claimedSince(before) < few ? quiet + 1 : Math.max(0, quiet - BUSY_LOOK);
                before = generator.advance();
            }
        } finally {
            generator.letAllLookAtTheClock();
            running.set(false);
        }
    }
}
