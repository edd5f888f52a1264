package io.github.snowflakeid;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;

/**
 * The policy that determines where the sequence of a new tick starts. At a low rate, most IDs are the first ID of their
 * tick. If every tick started at zero, these IDs would all end in zero bits, and {@code id % shards} would send them to
 * the same shard.
 *
 * <p>Starts above zero reduce the capacity of a tick: a tick that starts at 63 has 63 fewer IDs. Instances are safe for
 * use by any number of threads.
 *
 * @since 1.0
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
     * Starts every tick at 0, as Twitter's Snowflake does.
     *
     * @return the policy that skips no ID
     */
    public static SequenceStart zero() {
        return ZERO;
    }

    /**
     * Starts every tick at a random number, as Meituan's Leaf does with a bound of 100.
     *
     * @param bound the number of different starts, from 0 to {@code bound - 1}; at most {@link IdLayout#maxSequence()}
     *     + 1
     * @return a policy that, on average, spreads IDs evenly over up to {@code bound} shards
     * @throws IllegalArgumentException if {@code bound} is less than 1
     */
    public static SequenceStart random(int bound) {
        return new SequenceStart(
                "random", bound, () -> ThreadLocalRandom.current().nextInt(bound));
    }

    /**
     * Starts ticks at 0, 1, … {@code bound - 1}, 0, … in turn, as Apache ShardingSphere does. ShardingSphere's {@code
     * max-vibration-offset} is {@code bound - 1}.
     *
     * @param bound the number of different starts, ideally the number of shards; at most {@link IdLayout#maxSequence()}
     *     + 1
     * @return a policy that spreads IDs over {@code bound} shards in turn
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
