package io.github.snowflakeid.test;

import io.github.snowflakeid.IdFields;
import io.github.snowflakeid.IdGenerator;
import io.github.snowflakeid.IdLayout;
import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongUnaryOperator;
import java.util.stream.LongStream;

/**
 * A generator for tests that issues predictable IDs: 1, 2, 3 and so on, or the IDs of a layout from a given instant on.
 * It needs no clock, worker ID or store, and it never waits and never closes. Do not use it in production: each
 * instance issues the same IDs.
 *
 * <p>Safe for use by any number of threads. The IDs ascend without gaps until {@link #reset()} is called.
 *
 * @since 1.0
 */
public final class TestIdGenerator implements IdGenerator {

    /** The ID at each position, counted from 0. */
    private final LongUnaryOperator ids;

    private final long maxId;

    private final AtomicLong count = new AtomicLong();

    /** Creates a generator that issues the IDs 1, 2, 3 and so on. */
    public TestIdGenerator() {
        this(position -> position + 1, Integer.MAX_VALUE);
    }

    private TestIdGenerator(LongUnaryOperator ids, long maxId) {
        this.ids = ids;
        this.maxId = maxId;
    }

    /**
     * Creates a generator that issues IDs of a layout, which {@link IdLayout#decode} can decode. The first ID is
     * {@link IdLayout#firstId firstId(start)}. Each further ID has the next sequence value; after the highest sequence
     * value, IDs continue in the next tick. Datacenter ID and worker ID are 0.
     *
     * @param layout the layout of the IDs
     * @param start the time of the first ID
     * @return the generator
     * @throws IllegalArgumentException if {@code start} is before the layout's epoch, or at or after its end
     */
    public static TestIdGenerator startingAt(IdLayout layout, Instant start) {
        Instant first = layout.timestamp(layout.firstId(start));
        return new TestIdGenerator(
                position -> layout.encode(new IdFields(
                        first.plus(layout.tick().multipliedBy(position >> layout.sequenceBits())), 0, 0, (int)
                                (position & layout.maxSequence()))),
                Long.MAX_VALUE);
    }

    /**
     * Returns the next ID of the sequence.
     *
     * @return an ID; the same IDs again after {@link #reset()}
     */
    @Override
    public long nextId() {
        return ids.applyAsLong(count.getAndIncrement());
    }

    /** {@inheritDoc} This implementation always returns an ID. */
    @Override
    public OptionalLong tryNextId() {
        return OptionalLong.of(nextId());
    }

    /** Starts again: the next ID is the first ID, and {@link #issued()} is empty. Call it between two tests. */
    public void reset() {
        count.set(0);
    }

    /**
     * Returns the IDs that were issued since the generator was created or reset.
     *
     * @return an unmodifiable list in ascending order; later calls do not change it
     */
    public List<Long> issued() {
        return LongStream.range(0, count.get()).map(ids).boxed().toList();
    }

    /**
     * Returns the greatest ID.
     *
     * @return {@link Integer#MAX_VALUE} if the IDs are 1, 2, 3 and so on, since no test needs more
     */
    @Override
    public long maxId() {
        return maxId;
    }
}
