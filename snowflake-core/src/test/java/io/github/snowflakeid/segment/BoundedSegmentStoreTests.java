package io.github.snowflakeid.segment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.snowflakeid.segment.SegmentStore.Counter;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Calls have a timeout, as with a registry. */
class BoundedSegmentStoreTests extends SegmentStoreContract {

    private static final Counter COUNTER = new Counter(1, 1, 100, "token");

    private InMemorySegmentStore memory = new InMemorySegmentStore();

    @Override
    protected void openEmptyStore() {
        memory = new InMemorySegmentStore("table snowflake_counter");
    }

    @Override
    protected SegmentStore store() {
        return new BoundedSegmentStore(memory, Duration.ofSeconds(10));
    }

    @Override
    protected void closeStore() {
        memory.clear();
    }

    @Test
    void isCalledAsTheStoreIs() {
        assertThat(store().description()).isEqualTo("table snowflake_counter");
        assertThat(store().kind()).isEqualTo("memory");
    }

    @Test
    void callWithoutAnAnswerIsGivenUpAndMayStillBeCarriedOut() {
        try (BoundedSegmentStore bounded = new BoundedSegmentStore(memory, Duration.ofMillis(50))) {
            memory.answerAfter(Duration.ofSeconds(1));

            assertThatIllegalStateException()
                    .isThrownBy(() -> bounded.write("orders", null, COUNTER))
                    .withMessage("the store did not answer within 50 ms");

            memory.answerAfter(Duration.ZERO);
            while (memory.read("orders") == null) {
                Thread.onSpinWait();
            }
            assertThat(memory.read("orders")).isEqualTo(COUNTER);
        }
    }

    @Test
    void whatIsThrownIsThrownAsItIs() {
        IllegalArgumentException away = new IllegalArgumentException("away");
        memory.failWith(away);

        assertThatThrownBy(() -> store().read("orders")).isSameAs(away);
    }

    @Test
    void closesTheWrappedRegistry() {
        AtomicBoolean closed = new AtomicBoolean();
        class Closeable implements SegmentStore, AutoCloseable {
            @Override
            public String description() {
                return "closeable";
            }

            @Override
            public @Nullable Counter read(String name) {
                return null;
            }

            @Override
            public boolean write(String name, @Nullable Counter seen, Counter next) {
                return false;
            }

            @Override
            public void close() {
                closed.set(true);
            }
        }
        new BoundedSegmentStore(new Closeable(), Duration.ofSeconds(1)).close();

        assertThat(closed).isTrue();
    }

    @Test
    void limitMustBePositive() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new BoundedSegmentStore(memory, Duration.ZERO))
                .withMessage("limit must be positive, but was PT0S");
    }
}
