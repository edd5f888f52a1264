package io.github.snowflakeid.segment;

import io.github.snowflakeid.internal.BoundedCalls;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A store whose calls are given up when they have no answer in time: they throw, and may still be done later. For stores whose
 * clients may wait for longer than callers do, or for ever.
 *
 * <p>Each call has a thread of its own, since one that is given up may hold its thread for long. The first such call is left alone, as
 * it may be opening a connection that others need; further ones are interrupted. While four of them have not ended, no other
 * call is begun.
 *
 * <p>Safe for use by any number of threads.
 *
 * @since 0.1.0
 */
public final class BoundedSegmentStore implements SegmentStore, AutoCloseable {

    private final SegmentStore store;
    private final BoundedCalls calls;

    /**
     * Limits a store.
     *
     * @param store what is asked
     * @param limit for each call; less than callers wait, so that another store can be asked meanwhile
     * @throws IllegalArgumentException if the limit is not positive
     */
    public BoundedSegmentStore(SegmentStore store, Duration limit) {
        this.store = Objects.requireNonNull(store, "store");
        calls = new BoundedCalls(store, "store", limit);
    }

    @Override
    public String description() {
        return store.description();
    }

    @Override
    public String kind() {
        return store.kind();
    }

    @Override
    public @Nullable Counter read(String name) {
        return calls.<@Nullable Counter>ask(() -> store.read(name));
    }

    @Override
    public boolean write(String name, @Nullable Counter seen, Counter next) {
        return calls.ask(() -> store.write(name, seen, next));
    }

    @Override
    public void closeIdleConnections() {
        calls.ask(() -> {
            store.closeIdleConnections();
            return true;
        });
    }

    /** Closes the store, if it can be closed. */
    @Override
    public void close() {
        calls.close();
    }
}
