package io.github.snowflakeid;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.ref.WeakReference;
import java.net.URL;
import java.net.URLClassLoader;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Generators of one JVM with the same fixed worker ID, whatever the clock does in between. */
class AssignedWorkersTests {

    private static final int BITS = IdLayout.DEFAULT.sequenceBits();
    private static final TimeSource SYSTEM = new TimeSource(TimeSource.SYSTEM);

    private static Allocation open(int workerId, long firstTick, long lastTick) {
        WorkerId worker = new WorkerId(30, workerId, "test");
        Allocation.Grant grant =
                new Allocation.Grant(worker, IdLayout.DEFAULT, 0, IdLayout.DEFAULT.endTick(), Long.MAX_VALUE);
        Allocation before = Allocation.assigned(grant, (lastTick + 1) << BITS, -1, Allocation.none(worker));
        return AssignedWorkers.open(grant, SYSTEM, firstTick << BITS, before.closed());
    }

    @Test
    void generatorContinuesBehindTheIdsOfAClosedOne() {
        Allocation first = open(1, 100, 0);
        first.claim(3);
        AssignedWorkers.close(first);

        Allocation second = open(1, 50, 0);

        assertThat(second).isNotSameAs(first);
        assertThat(second.next()).isEqualTo(101L << BITS);
        AssignedWorkers.close(second);
    }

    @Test
    void generatorThatJoinsAnOpenOneContinuesBehindItsOwnIds() {
        Allocation first = open(2, 100, 0);
        first.claim(3);

        Allocation second = open(2, 50, 80);
        assertThat(second.claim(1)).isEqualTo((100L << BITS) + 3);
        assertThat(first.next()).isEqualTo((100L << BITS) + 4);
        assertThat(open(2, 50, 200).next()).isEqualTo(201L << BITS);
        assertThat(first.next()).isEqualTo(201L << BITS);
    }

    /** As in two web applications of one servlet container, each of which has this library. */
    @Test
    void generatorsOfTwoClassLoadersIssueDifferentIds() throws Exception {
        Set<Long> all = ConcurrentHashMap.newKeySet();
        try (URLClassLoader one = copyOfTheLibrary();
                URLClassLoader other = copyOfTheLibrary()) {
            List<Thread> threads = new ArrayList<>();
            for (LongSupplier ids : List.of(generator(one), generator(other))) {
                threads.add(
                        new Thread(() -> LongStream.generate(ids).limit(200_000).forEach(all::add)));
            }
            threads.forEach(Thread::start);
            for (Thread thread : threads) {
                thread.join();
            }
        }

        assertThat(all).hasSize(400_000);
    }

    @Test
    void classLoaderIsCollectedAfterItsGeneratorWasClosed() throws Exception {
        WeakReference<ClassLoader> closed = new WeakReference<>(aClassLoaderWhoseGeneratorIsClosed());

        for (int tries = 0; tries < 600 && closed.get() != null; tries++) {
            System.gc();
            Thread.sleep(50);
        }
        assertThat(closed.get()).isNull();
    }

    private static ClassLoader aClassLoaderWhoseGeneratorIsClosed() throws Exception {
        try (URLClassLoader loader = copyOfTheLibrary()) {
            LongSupplier ids = generator(loader);
            LongStream.generate(ids).limit(200_000).sum();
            ((AutoCloseable) ids).close();
            return loader;
        }
    }

    private static URLClassLoader copyOfTheLibrary() {
        return new URLClassLoader(
                Stream.of(SnowflakeIdGenerator.class, Fixed.class)
                        .map(any -> any.getProtectionDomain().getCodeSource().getLocation())
                        .toArray(URL[]::new),
                ClassLoader.getPlatformClassLoader());
    }

    private static LongSupplier generator(ClassLoader loader) throws ReflectiveOperationException {
        return (LongSupplier)
                loader.loadClass(Fixed.class.getName()).getDeclaredConstructor().newInstance();
    }

    /** Loaded together with a copy of the library. */
    public static final class Fixed implements LongSupplier, AutoCloseable {

        public Fixed() {}

        private final SnowflakeIdGenerator generator = SnowflakeIdGenerator.builder()
                .worker(WorkerIdAssigner.fixed(30, 4))
                .build();

        @Override
        public long getAsLong() {
            return generator.nextId();
        }

        @Override
        public void close() {
            generator.close();
        }
    }

    /** The slot after the last one is 2^63, which is negative as a signed number. */
    @Test
    void generatorContinuesBehindTheLastIdOfSixtyThreeBits() {
        IdLayout layout = new IdLayout(Instant.EPOCH, Duration.ofMillis(1), 62, 0, 0, 1);
        long last = layout.endTick() - 1;
        Allocation first = openAt(layout, last << 1);
        first.claim(1);
        AssignedWorkers.close(first);

        assertThat(openAt(layout, last << 1).next()).isEqualTo(layout.endTick() << 1);
    }

    private static Allocation openAt(IdLayout layout, long firstSlot) {
        WorkerId worker = WorkerIdAssigner.fixed(0, 0).assign(layout);
        Allocation.Grant grant = new Allocation.Grant(worker, layout, 0, layout.endTick(), Long.MAX_VALUE);
        return AssignedWorkers.open(grant, new TimeSource(TimeSource.SYSTEM), firstSlot, Allocation.none(worker));
    }
}
