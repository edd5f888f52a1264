package io.github.snowflakeid.segment;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A store for tests. It keeps the contract, but only within one process. */
public final class InMemorySegmentStore implements SegmentStore {

    private final Map<String, Counter> counters = new ConcurrentHashMap<>();
    private final String description;
    private final AtomicInteger reads = new AtomicInteger();
    private final AtomicInteger writes = new AtomicInteger();
    private final AtomicBoolean losesAnswer = new AtomicBoolean();
    private volatile @Nullable RuntimeException outage;
    private volatile Duration delay = Duration.ZERO;

    public InMemorySegmentStore() {
        this("memory");
    }

    public InMemorySegmentStore(String description) {
        this.description = description;
    }

    /** Lets every call fail from now on; null ends that. */
    public void failWith(@Nullable RuntimeException failure) {
        outage = failure;
    }

    /** Lets every answer take so long. */
    public void answerAfter(Duration time) {
        delay = time;
    }

    /** Executes the next write, but its answer is lost. */
    public void loseNextAnswer() {
        losesAnswer.set(true);
    }

    /** Simulates an operator. */
    public void put(String name, Counter counter) {
        counters.put(name, counter);
    }

    /** Simulates an operator. */
    public void clear() {
        counters.clear();
    }

    public int reads() {
        return reads.get();
    }

    /** Returns the number of attempted writes. */
    public int writes() {
        return writes.get();
    }

    @Override
    public String description() {
        return description;
    }

    @Override
    public String kind() {
        return "memory";
    }

    @Override
    public @Nullable Counter read(String name) {
        reads.incrementAndGet();
        answer();
        return counters.get(name);
    }

    @Override
    public boolean write(String name, @Nullable Counter seen, Counter next) {
        writes.incrementAndGet();
        answer();
        Counter is = counters.compute(name, (key, before) -> token(before).equals(token(seen)) ? next : before);
        if (losesAnswer.compareAndSet(true, false)) {
            throw new IllegalStateException("the answer was lost");
        }
        return is == next;
    }

    private static String token(@Nullable Counter counter) {
        return counter == null ? "" : counter.token();
    }

    private void answer() {
        LockSupport.parkNanos(delay.toNanos());
        RuntimeException failure = outage;
        if (failure != null) {
            throw failure;
        }
    }
}
