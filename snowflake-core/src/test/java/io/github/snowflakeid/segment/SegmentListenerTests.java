package io.github.snowflakeid.segment;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.snowflakeid.internal.ForStarter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Listeners hold no lock and delay no number, so they may close, reopen, ask their generator and end the JVM. */
@Timeout(120)
class SegmentListenerTests {

    private static final String EXCLUDED = "excluded";
    private static final String RECOVERED = "recovered";
    private static final String ENDED = "ended";
    private static final String RESUMED = "resumed";

    private final InMemorySegmentStore store = new InMemorySegmentStore();
    private final AtomicReference<SegmentIdGenerator> generator = new AtomicReference<>();
    private final BlockingQueue<String> reports = new LinkedBlockingQueue<>();

    @AfterEach
    void close() {
        store.failWith(null);
        // Elsewhere, since closing may not end if the generator does not.
        daemon(() -> Stream.ofNullable(generator.get()).forEach(SegmentIdGenerator::close));
    }

    /** Passes each report on as one word. */
    private record Words(Consumer<String> listener) implements SegmentListener {

        @Override
        public void storeExcluded(String store, RuntimeException reason) {
            listener.accept(EXCLUDED);
        }

        @Override
        public void storeRecovered(String store, Duration outage) {
            listener.accept(RECOVERED);
        }

        @Override
        public void numbersEnded(NumbersUnavailableException reason) {
            listener.accept(ENDED);
        }

        @Override
        public void numbersResumed(Duration outage) {
            listener.accept(RESUMED);
        }
    }

    /** Returns an open generator of one number at a time. */
    private SegmentIdGenerator generator(Duration maxWait, Consumer<String> listener) {
        SegmentIdGenerator built = SegmentIdGenerator.builder()
                .name("orders")
                .store(store)
                .minStep(1)
                .maxStep(1)
                .maxWait(maxWait)
                .listener(new Words(listener))
                .build();
        generator.set(built);
        return built;
    }

    /** Returns a listener that calls the body once, for the first report of a kind. */
    private static Consumer<String> once(String kind, Runnable body) {
        AtomicBoolean called = new AtomicBoolean();
        return report -> {
            if (report.equals(kind) && called.compareAndSet(false, true)) {
                body.run();
            }
        };
    }

    /** Lets the store fail and uses all numbers. */
    private void useUp(SegmentIdGenerator numbers) {
        store.failWith(new IllegalStateException("away"));
        while (numbers.tryNextId().isPresent()) {
            Thread.onSpinWait();
        }
    }

    @Test
    void listenerMayCloseWhileAnotherThreadCloses() throws Exception {
        CountDownLatch inListener = new CountDownLatch(1);
        CountDownLatch closing = new CountDownLatch(1);
        CompletableFuture<Boolean> closed = new CompletableFuture<>();
        SegmentIdGenerator numbers = generator(Duration.ofMinutes(1), once(EXCLUDED, () -> {
            inListener.countDown();
            await(closing);
            generator.get().close();
            closed.complete(generator.get().isClosed());
        }));
        useUp(numbers);
        await(inListener);
        CompletableFuture<Void> closer = new CompletableFuture<>();
        daemon(() -> {
            closing.countDown();
            numbers.close();
            closer.complete(null);
        });
        closer.get(60, TimeUnit.SECONDS);
        assertThat(closed.get(60, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void listenerMayCloseReopenAndAsk() throws Exception {
        CompletableFuture<Long> number = new CompletableFuture<>();
        SegmentIdGenerator numbers = generator(Duration.ofMinutes(1), once(EXCLUDED, () -> {
            store.failWith(null);
            generator.get().close();
            generator.get().reopen();
            number.complete(generator.get().nextId());
        }));
        useUp(numbers);
        assertThat(number.get(60, TimeUnit.SECONDS)).isPositive();
    }

    @Test
    void listenerThatAsksDuringAnOutageGetsTheNextNumber() throws Exception {
        CompletableFuture<Long> number = new CompletableFuture<>();
        SegmentIdGenerator numbers = generator(Duration.ofMinutes(1), once(ENDED, () -> {
            store.failWith(null);
            number.complete(generator.get().nextId());
        }));
        useUp(numbers);
        assertThat(number.get(50, TimeUnit.SECONDS)).isPositive();
    }

    @Test
    void listenerThatHangsDelaysNoNumberAndGetsItsReportsInOrder() throws Exception {
        CountDownLatch hangs = new CountDownLatch(1);
        Consumer<String> hanging = once(EXCLUDED, () -> await(hangs));
        SegmentIdGenerator numbers = generator(Duration.ofMinutes(1), report -> {
            hanging.accept(report);
            reports.add(report);
        });
        useUp(numbers);
        while (numbers.unavailability().isEmpty()) {
            Thread.onSpinWait();
        }
        store.failWith(null);
        assertThat(numbers.nextId()).isPositive();
        assertThat(reports).isEmpty();
        hangs.countDown();

        List<String> ordered = new ArrayList<>();
        while (!ordered.contains(RESUMED)) {
            String report = reports.poll(60, TimeUnit.SECONDS);
            if (!ordered.contains(report)) {
                ordered.add(report);
            }
        }
        assertThat(ordered).containsExactly(EXCLUDED, ENDED, RECOVERED, RESUMED);
    }

    @Test
    void listenerMayWaitForAnotherThreadThatClosesWhileOpening() throws Exception {
        CompletableFuture<Boolean> closed = new CompletableFuture<>();
        CompletableFuture<Void> opened = new CompletableFuture<>();
        SegmentIdGenerator numbers = SegmentIdGenerator.builder()
                .name("orders")
                .store(store)
                .maxWait(Duration.ofMinutes(1))
                .listener(new Words(once(EXCLUDED, () -> {
                    // Another thread closes on behalf of the listener, which waits for it, as System.exit waits for a
                    // shutdown hook.
                    daemon(() -> {
                        generator.get().close();
                        closed.complete(true);
                    });
                    store.failWith(null);
                    closed.join();
                })))
                .buildClosed(ForStarter.KEY);
        generator.set(numbers);
        store.failWith(new IllegalStateException("away"));
        daemon(() -> {
            numbers.reopen();
            opened.complete(null);
        });
        opened.get(60, TimeUnit.SECONDS);
        assertThat(closed.get(60, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void listenerMayEndTheJvm() throws Exception {
        Process jvm = new ProcessBuilder(
                        System.getProperty("java.home") + "/bin/java",
                        "-cp",
                        System.getProperty("java.class.path"),
                        EndingTheJvm.class.getName())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            assertThat(jvm.waitFor(60, TimeUnit.SECONDS)).as("ended").isTrue();
            assertThat(jvm.exitValue()).isEqualTo(7);
        } finally {
            jvm.destroyForcibly();
        }
    }

    /** Ends in its listener. Closes the generator in a shutdown hook, as an application does. */
    static final class EndingTheJvm {

        private EndingTheJvm() {}

        public static void main(String[] args) {
            InMemorySegmentStore store = new InMemorySegmentStore();
            SegmentIdGenerator numbers = SegmentIdGenerator.builder()
                    .name("orders")
                    .store(store)
                    .maxWait(Duration.ofMillis(100))
                    .listener(new Words(once(EXCLUDED, () -> System.exit(7))))
                    .build();
            Runtime.getRuntime().addShutdownHook(new Thread(numbers::close));
            store.failWith(new IllegalStateException("away"));
            while (true) {
                numbers.tryNextId();
            }
        }
    }

    private static void daemon(Runnable body) {
        Thread thread = new Thread(body);
        thread.setDaemon(true);
        thread.start();
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
