package io.github.snowflakeid.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.github.snowflakeid.LeaseTerms;
import io.github.snowflakeid.SnowflakeIdGenerator;
import io.github.snowflakeid.WorkerLease;
import io.github.snowflakeid.WorkerRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class BoundedRegistryTests {

    private static final Duration LONG_ENOUGH = Duration.ofMinutes(1);

    private Hanging hanging = new Hanging();
    private BoundedRegistry bounded = new BoundedRegistry(hanging, Duration.ofMillis(50));

    /** A registry that answers when the test allows it or, optionally, when its thread is interrupted. */
    private static final class Hanging implements WorkerRegistry {

        private final InMemoryRegistry registry = new InMemoryRegistry(Instant::now);
        private final AtomicInteger interrupted = new AtomicInteger();
        private final AtomicInteger asked = new AtomicInteger();
        private volatile CountDownLatch answers = new CountDownLatch(1);
        private volatile boolean cares = true;

        private void hang() {
            asked.incrementAndGet();
            while (true) {
                try {
                    answers.await();
                    return;
                } catch (InterruptedException e) {
                    interrupted.incrementAndGet();
                    if (cares) {
                        throw new IllegalStateException("interrupted", e);
                    }
                }
            }
        }

        @Override
        public String namespace() {
            return registry.namespace();
        }

        @Override
        public Snapshot read() {
            hang();
            return registry.read();
        }

        @Override
        public boolean acquire(@Nullable Entry seen, Claim claim, Duration ttl) {
            hang();
            return registry.acquire(seen, claim, ttl);
        }

        @Override
        public boolean renew(Claim held, Instant reservedUntil, Duration ttl) {
            hang();
            return registry.renew(held, reservedUntil, ttl);
        }

        @Override
        public boolean release(Claim held, Instant reservedUntil) {
            hang();
            return registry.release(held, reservedUntil);
        }
    }

    @Nested
    class KeepsTheContract extends WorkerRegistryContract {

        private final Map<String, InMemoryRegistry> store = new ConcurrentHashMap<>();

        @Override
        protected void openEmptyStore() {
            store.clear();
        }

        @Override
        protected WorkerRegistry registry(String namespace) {
            return new BoundedRegistry(
                    store.computeIfAbsent(namespace, name -> new InMemoryRegistry(name, Instant::now)), LONG_ENOUGH);
        }

        @Override
        protected void closeStore() {}
    }

    @Test
    void firstCallWithoutAnAnswerIsLeftAloneAndFurtherOnesAreInterrupted() {
        // A call whose thread has not begun within the limit is not made.
        while (hanging.asked.get() == 0) {
            hanging = new Hanging();
            bounded = new BoundedRegistry(hanging, Duration.ofMillis(50));
            assertThatIllegalStateException()
                    .isThrownBy(bounded::read)
                    .withMessage("the registry did not answer within 50 ms");
        }
        assertThat(hanging.interrupted).hasValue(0);

        while (hanging.interrupted.get() < 6) {
            assertThatIllegalStateException()
                    .isThrownBy(bounded::read)
                    .withMessage("the registry did not answer within 50 ms");
            int furtherOnes = hanging.asked.get() - 1;
            while (hanging.interrupted.get() < furtherOnes) {
                Thread.onSpinWait();
            }
        }
    }

    @Test
    void noMoreThanFourCallsHangAtOnce() {
        hanging.cares = false;
        String message = messageOfARead();
        // A call whose thread has not begun within the limit does not hang.
        while (message.equals("the registry did not answer within 50 ms")) {
            message = messageOfARead();
        }
        assertThat(message).isEqualTo("4 calls to the registry have not been answered yet");
        while (hanging.asked.get() < 4) {
            Thread.onSpinWait();
        }
        assertThat(hanging.asked).hasValue(4);
        hanging.answers.countDown();

        while (true) {
            try {
                assertThat(bounded.read().entries()).isEmpty();
                break;
            } catch (IllegalStateException e) {
                Thread.onSpinWait();
            }
        }
    }

    private String messageOfARead() {
        return String.valueOf(catchThrowable(bounded::read).getMessage());
    }

    @Test
    void whatIsThrownIsThrownAsItIs() {
        hanging.answers.countDown();
        IllegalArgumentException away = new IllegalArgumentException("away");
        hanging.registry.failWith(away);
        assertThatThrownBy(new BoundedRegistry(hanging, LONG_ENOUGH)::read).isSameAs(away);
    }

    @Test
    void interruptedCallerGivesTheCallUp() {
        Thread.currentThread().interrupt();
        assertThatIllegalStateException()
                .isThrownBy(bounded::read)
                .withMessage("interrupted while waiting for the registry");
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void registryThatHangsForeverEndsNeitherTheLeaseThreadNorStartup() {
        hanging.cares = false;
        hanging.answers.countDown();
        try (SnowflakeIdGenerator generator = SnowflakeIdGenerator.builder()
                .lease(LeaseTerms.of(bounded).withTtl(Duration.ofSeconds(1)).withAcquireTimeout(LONG_ENOUGH))
                .maxWait(LONG_ENOUGH)
                .build()) {
            hanging.answers = new CountDownLatch(1);
            while (generator.lease().orElseThrow().state() == WorkerLease.State.HELD) {
                Thread.onSpinWait();
            }
            hanging.answers.countDown();
            while (generator.lease().orElseThrow().state() != WorkerLease.State.HELD) {
                Thread.onSpinWait();
            }
            assertThat(generator.nextId()).isPositive();
        }
    }

    @Test
    void limitMustBePositive() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new BoundedRegistry(hanging, Duration.ZERO))
                .withMessage("limit must be positive, but was PT0S");
    }
}
