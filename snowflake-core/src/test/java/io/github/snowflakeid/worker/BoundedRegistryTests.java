package io.github.snowflakeid.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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

    private final Hanging hanging = new Hanging();
    private final BoundedRegistry bounded = new BoundedRegistry(hanging, Duration.ofMillis(50));

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
                    store.computeIfAbsent(namespace, name -> new InMemoryRegistry(name, Instant::now)),
                    Duration.ofSeconds(10));
        }

        @Override
        protected void closeStore() {}
    }

    @Test
    void firstCallWithoutAnAnswerIsLeftAloneAndFurtherOnesAreInterrupted() {
        assertThatIllegalStateException()
                .isThrownBy(bounded::read)
                .withMessage("the registry did not answer within 50 ms");
        assertThat(hanging.interrupted).hasValue(0);

        for (int i = 0; i < 6; i++) {
            assertThatIllegalStateException()
                    .isThrownBy(bounded::read)
                    .withMessage("the registry did not answer within 50 ms");
            while (hanging.interrupted.get() <= i) {
                Thread.onSpinWait();
            }
        }
    }

    @Test
    void noMoreThanFourCallsHangAtOnce() {
        hanging.cares = false;
        for (int i = 0; i < 4; i++) {
            assertThatIllegalStateException().isThrownBy(bounded::read).withMessageContaining("within 50 ms");
        }
        assertThatIllegalStateException()
                .isThrownBy(bounded::read)
                .withMessage("4 calls to the registry have not been answered yet");
        while (hanging.asked.get() < 4) {
            Thread.onSpinWait();
        }
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

    @Test
    void whatIsThrownIsThrownAsItIs() {
        hanging.answers.countDown();
        IllegalArgumentException away = new IllegalArgumentException("away");
        hanging.registry.failWith(away);
        assertThatThrownBy(new BoundedRegistry(hanging, Duration.ofSeconds(10))::read)
                .isSameAs(away);
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
                .lease(LeaseTerms.of(bounded).withTtl(Duration.ofSeconds(1)))
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
