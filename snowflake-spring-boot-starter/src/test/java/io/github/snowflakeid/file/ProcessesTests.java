package io.github.snowflakeid.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.snowflakeid.WorkerRegistry.Entry;
import io.github.snowflakeid.failure.ConfigurationException;
import io.github.snowflakeid.worker.DocumentRegistry;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real processes that share a directory. */
// Slow: starts some twenty processes.
@Tag("full")
@Tag("servers")
class ProcessesTests {

    private static final int PROCESSES = 16;
    private static final int KILLED = 6;
    private static final int LEASES = Integer.getInteger("file.leases", 64);

    @TempDir
    private Path temporary;

    private final List<Member> members = new ArrayList<>();

    @AfterEach
    void endProcesses() throws Exception {
        for (Member member : members) {
            member.kill();
        }
    }

    @Test
    void noIdIsIssuedTwiceAndNoLeaseIsLostWhileSomeAreKilled() throws Exception {
        for (int i = 0; i < PROCESSES; i++) {
            members.add(new Member("ids", idsOf(i).toString()));
        }
        for (Member member : members) {
            member.awaitLog("open");
        }
        for (int killed = 0; killed < KILLED; killed++) {
            awaitIds(killed);
            members.get(killed).kill();
            members.add(new Member("ids", idsOf(members.size()).toString()));
        }
        List<Member> alive = members.subList(KILLED, members.size());
        for (Member member : alive) {
            member.awaitLog("open");
        }
        for (int i = KILLED; i < members.size(); i++) {
            awaitIds(i);
        }
        for (Member member : alive) {
            member.stop();
        }

        long[] ids = ids();
        assertThat(Arrays.stream(ids).distinct().count()).isEqualTo(ids.length);
        assertThat(ids.length).isGreaterThan(200 * (PROCESSES + KILLED));
        assertThat(members)
                .extracting(Member::log)
                .allSatisfy(log -> assertThat(log).doesNotContain("state=LOST", "Exception"));
        List<Entry> entries = LeasingProcess.registry(store()).read().entries();
        assertThat(entries).extracting(Entry::datacenterId).containsOnly(LeasingProcess.DATACENTER_ID);
        // Stopped processes have released their worker IDs, so the held worker IDs belong to killed processes.
        assertThat(entries).filteredOn(entry -> entry.owner() != null).hasSizeBetween(0, KILLED);
        System.out.println(
                "%s ids of %s processes on %s worker ids".formatted(ids.length, members.size(), entries.size()));
    }

    @Test
    void eightProcessesLeaseManyWorkerIdsAtOnceInTime() throws Exception {
        for (int i = 0; i < 8; i++) {
            members.add(new Member("leases", Integer.toString(LEASES / 8)));
        }
        for (Member member : members) {
            member.awaitLog("open");
        }
        long begin = System.nanoTime();
        for (Member member : members) {
            member.goOn();
        }
        for (Member member : members) {
            member.awaitLog("leased " + LEASES / 8);
        }

        Duration took = Duration.ofNanos(System.nanoTime() - begin);
        System.out.println(LEASES + " leases took " + took);
        assertThat(LeasingProcess.registry(store()).read().entries())
                .extracting(Entry::owner)
                .doesNotContainNull()
                .hasSize(LEASES);
    }

    @Test
    void frozenProcessKeepsTheLockAndKilledProcessReleasesIt() throws Exception {
        Member locking = new Member("lock");
        members.add(locking);
        locking.awaitLog("open");
        FileDocuments.Settings impatient = FileDocuments.Settings.of(false, Duration.ofMillis(50));
        DocumentRegistry registry = FileDocuments.registry(store(), "default", impatient);

        assertThat(Assertions.catchThrowable(() -> LeasingProcess.claim(registry, 7, 1)))
                .isInstanceOfSatisfying(ConfigurationException.class, busy -> {
                    Path lock = store().resolve("snowflake/snowflake-default.lock");
                    assertThat(busy).hasMessage("Another process has held the lock on %s for more than 50 ms", lock);
                    assertThat(busy.action()).hasValue("Find the process, and resume or end it:\n\nfuser -v " + lock);
                });

        locking.kill();
        LeasingProcess.claim(registry, 7, 1);
        assertThat(registry.read().entries()).extracting(Entry::workerId).containsExactly(7);
    }

    /** A process loses its lock when it closes the file anywhere, so class loaders must not disturb each other. */
    @Test
    void classLoadersAndProcessesOverwriteNothingOfEachOther() throws Exception {
        Member other = new Member("claims", "0", "200");
        members.add(other);
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try (URLClassLoader first = copyOfTheLibrary();
                URLClassLoader second = copyOfTheLibrary()) {
            List<Future<?>> parts = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                Callable<?> part = claims(i % 2 == 0 ? first : second, 1000 * (i + 1));
                parts.add(threads.submit(part));
            }
            for (Future<?> part : parts) {
                part.get();
            }
            assertThat(other.process.waitFor(3, TimeUnit.MINUTES)).isTrue();
        } finally {
            threads.shutdown();
        }

        assertThat(other.log()).doesNotContain("Exception");
        assertThat(LeasingProcess.registry(store()).read().entries()).hasSize(400);
    }

    private Callable<?> claims(ClassLoader loader, int first) throws Exception {
        var main = loader.loadClass(LeasingProcess.class.getName()).getDeclaredMethod("main", String[].class);
        main.setAccessible(true);
        return () ->
                main.invoke(null, (Object) new String[] {"claims", store().toString(), Integer.toString(first), "50"});
    }

    private static URLClassLoader copyOfTheLibrary() throws IOException {
        List<URL> path = new ArrayList<>();
        for (String part : System.getProperty("java.class.path").split(System.getProperty("path.separator"), -1)) {
            path.add(Path.of(part).toUri().toURL());
        }
        return new URLClassLoader(path.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
    }

    private Path store() {
        return temporary.resolve("store");
    }

    private Path idsOf(int member) {
        return temporary.resolve("ids-" + member);
    }

    /** Waits for enough IDs of a process, counted from 0. */
    private void awaitIds(int member) throws Exception {
        Path file = idsOf(member);
        while (!Files.exists(file) || Files.size(file) < 200L * Long.BYTES) {
            assertThat(members.get(member).process.isAlive())
                    .as(members.get(member).log())
                    .isTrue();
            Thread.sleep(5);
        }
    }

    /** Returns the IDs of all processes, without a last ID that a killed process has written only partially. */
    private long[] ids() throws IOException {
        try (Stream<Path> files = Files.list(temporary)) {
            return files.filter(file -> file.getFileName().toString().startsWith("ids-"))
                    .flatMapToLong(ProcessesTests::idsIn)
                    .toArray();
        }
    }

    private static LongStream idsIn(Path file) {
        try {
            ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file));
            long[] ids = new long[bytes.remaining() / Long.BYTES];
            bytes.asLongBuffer().get(ids);
            return LongStream.of(ids);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private final class Member {
        private final Path log = temporary.resolve("log-" + members.size());
        private final Process process;

        Member(String does, String... more) throws IOException {
            List<String> command = new ArrayList<>(List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-XX:TieredStopAtLevel=1",
                    "-XX:+UseSerialGC",
                    "-Xshare:auto",
                    "-Xmx64m",
                    "-cp",
                    System.getProperty("java.class.path"),
                    LeasingProcess.class.getName(),
                    does,
                    store().toString()));
            command.addAll(List.of(more));
            process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
        }

        String log() {
            try {
                return Files.readString(log);
            } catch (IOException e) {
                throw new java.io.UncheckedIOException(e);
            }
        }

        void awaitLog(String text) throws Exception {
            while (!log().contains(text)) {
                assertThat(process.isAlive()).as(log()).isTrue();
                Thread.sleep(5);
            }
        }

        void goOn() throws IOException {
            OutputStream input = process.getOutputStream();
            input.write('\n');
            input.flush();
        }

        void stop() throws Exception {
            process.destroy();
            assertThat(process.waitFor(3, TimeUnit.MINUTES)).as(log()).isTrue();
        }

        void kill() throws InterruptedException {
            process.destroyForcibly().waitFor();
        }
    }
}
