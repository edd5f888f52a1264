package io.github.snowflakeid;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Looks at the clock once a tick for all callers, while many ask: reading a clock takes ten times as long as claiming a slot.
 * Its thread exists only while that pays off; it begins when many ids fall into one tick, and ends when few have for a while.
 *
 * <p>Nothing depends on its being in time. While it is late, slots are issued up to the limit it has set before, under a
 * tick that has passed meanwhile; from there on each caller looks at the clock itself.
 */
final class Ticker {

    /** It ends where less than this part of many ids are claimed ... */
    private static final int FEW = 4;

    /** ... in so many ticks one after the other. */
    private static final int QUIET_TICKS = 64;

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
        try {
            time.start("snowflake-ticker", this::run);
        } catch (OutOfMemoryError noMoreThreads) {
            // Ids are made without it as well. It is not tried again, so that not every call pays for that.
        }
    }

    /** Ends for good. What the generator has allocated was replaced before. */
    void close() {
        closed = true;
    }

    private void run() {
        try {
            long few = ticks.startOf(1) * time.manyInAMillisecond() / FEW;
            long before = generator.advance();
            for (int quiet = 0; quiet < QUIET_TICKS && !closed; ) {
                ticks.sleepToNext();
                long claimed = generator.claimedSince(before);
                quiet = claimed < few ? quiet + 1 : 0;
                before = generator.advance();
            }
        } finally {
            generator.letAllLookAtTheClock();
            running.set(false);
        }
    }
}
