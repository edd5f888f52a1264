package io.github.snowflakeid;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;

/**
 * Where the sequence of a new tick starts. Ids that are made at a low rate are mostly the first of their tick; if all
 * ticks start at zero, all these ids end in zero bits, and {@code id % shards} sends them to one shard.
 *
 * <p>Starts above zero cost room: a tick that starts at 63 has 63 ids fewer. Instances are safe for use by any number
 * of threads.
 *
 * @since 0.1.0
 */
public final class SequenceStart {

    private static final SequenceStart ZERO = new SequenceStart("zero", 1, () -> 0);

    private final String name;
    private final int bound;

    private final IntSupplier starts;

    private SequenceStart(String name, int bound, IntSupplier starts) {
        if (bound < 1) {
            throw new IllegalArgumentException("bound of the sequence start must be at least 1, but was " + bound);
        }
        this.name = name;
        this.bound = bound;
        this.starts = starts;
    }

    /**
     * Every tick starts at 0, as Twitter's do.
     *
     * @return the start that wastes no id
     */
    public static SequenceStart zero() {
        return ZERO;
    }

    /**
     * Every tick starts at a random number, as those of Meituan's Leaf do (with a bound of 100).
     *
     * @param bound the number of different starts, from 0 to {@code bound - 1}; at most the length of the sequence
     * @return a start that spreads ids over up to {@code bound} shards evenly on average
     * @throws IllegalArgumentException if {@code bound} is less than 1
     */
    public static SequenceStart random(int bound) {
        return new SequenceStart(
                "random", bound, () -> ThreadLocalRandom.current().nextInt(bound));
    }

    /**
     * Ticks start at 0, 1, … {@code bound - 1}, 0, … in turn, as those of Apache ShardingSphere do (where
     * {@code max-vibration-offset} is {@code bound - 1}).
     *
     * @param bound the number of different starts; best the number of shards; at most the length of the sequence
     * @return a start that spreads ids over {@code bound} shards in turn
     * @throws IllegalArgumentException if {@code bound} is less than 1
     */
    public static SequenceStart rotating(int bound) {
        AtomicInteger ticks = new AtomicInteger();
        return new SequenceStart("rotating", bound, () -> Math.floorMod(ticks.getAndIncrement(), bound));
    }

    int bound() {
        return bound;
    }

    int next() {
        return starts.getAsInt();
    }

    @Override
    public String toString() {
        return this == ZERO ? name : name + " below " + bound;
    }
}
