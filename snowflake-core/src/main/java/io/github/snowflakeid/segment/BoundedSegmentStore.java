package io.github.snowflakeid.segment;

import io.github.snowflakeid.internal.BoundedCalls;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A store that limits how long calls to another store may take. A call that is not answered in time throws, although its effect may still
 * happen later. Use it for stores whose clients may wait longer than callers do, or without a limit.
 *
 * <p>Each call runs in a thread that is started for it, because a call that timed out may occupy its thread for a long time. The first call
 * that times out keeps running, because it may be opening a connection that other calls need; further ones are interrupted. While four
 * calls that timed out are still running, new calls fail at once.
 *
 * <p>Safe for use by any number of threads.
 *
 * @since 0.1.0
 */
public final class BoundedSegmentStore implements SegmentStore, AutoCloseable {

    private final SegmentStore store;
    private final BoundedCalls calls;

    /**
     * Limits the calls of a store.
     *
     * @param store the store to call
     * @param limit the longest time that a call may take; less than callers wait, so that another store can be asked in time
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

    /** Closes the store if it is {@link AutoCloseable}. */
    @Override
    public void close() {
        calls.close();
    }
}
