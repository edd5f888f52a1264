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
 * A generator for tests, whose IDs are known in advance: 1, 2, 3 and so on, or IDs of a layout from an instant on. It needs no clock, no
 * worker ID and no store, never waits and never closes. Do not use it in production: each instance issues the same IDs.
 *
 * <p>Safe for use by any number of threads. IDs are issued without gaps and in ascending order, until {@link #reset()}.
 *
 * @since 0.1.0
 */
public final class TestIdGenerator implements IdGenerator {

    /** The ID at each position, counted from 0. */
    private final LongUnaryOperator ids;

    private final AtomicLong count = new AtomicLong();

    /** Creates a generator of the IDs 1, 2, 3 and so on. */
    public TestIdGenerator() {
        this(position -> position + 1);
    }

    private TestIdGenerator(LongUnaryOperator ids) {
        this.ids = ids;
    }

    /**
     * Creates a generator of IDs that {@link IdLayout#decode} reads: the first one is {@link IdLayout#firstId firstId(start)}, and the
     * sequence counts the IDs that follow. After the highest sequence of a tick comes the next tick. Datacenter ID and worker ID are 0.
     *
     * @param layout the layout of the IDs
     * @param start the time in the first ID
     * @return the generator
     * @throws IllegalArgumentException if {@code start} is before the epoch of the layout, or not before its end
     */
    public static TestIdGenerator startingAt(IdLayout layout, Instant start) {
        Instant first = layout.timestamp(layout.firstId(start));
        return new TestIdGenerator(position -> layout.encode(
                new IdFields(first.plus(layout.tick().multipliedBy(position >> layout.sequenceBits())), 0, 0, (int)
                        (position & layout.maxSequence()))));
    }

    @Override
    public long nextId() {
        return ids.applyAsLong(count.getAndIncrement());
    }

    /** {@inheritDoc} In this class it always returns an ID. */
    @Override
    public OptionalLong tryNextId() {
        return OptionalLong.of(nextId());
    }

    /** Starts again: the next ID is the first one, and no ID counts as issued. For use between two tests. */
    public void reset() {
        count.set(0);
    }

    /**
     * Returns the IDs issued since the generator was created or reset.
     *
     * @return an unmodifiable list in ascending order, which later calls do not change
     */
    public List<Long> issued() {
        return LongStream.range(0, count.get()).map(ids).boxed().toList();
    }
}
