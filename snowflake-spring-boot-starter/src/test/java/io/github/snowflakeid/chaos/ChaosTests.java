package io.github.snowflakeid.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.github.snowflakeid.SnowflakeIdGenerator;
import io.github.snowflakeid.worker.LeaseTerms;
import io.github.snowflakeid.worker.WorkerRegistry;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Real processes on real servers: killed, told to stop, frozen for longer than a lease lasts, with clocks that are off and
 * are set by minutes, while the server is stopped and started. Each id is written down, none may be there twice.
 *
 * <p>Short unless told otherwise: {@code -Dchaos.seconds=120 -Dchaos.processes=12 -Dchaos.seed=1 -Dchaos.store=mariadb}. A
 * seed chooses the faults; what the machine makes of them differs.
 */
@Timeout(900)
class ChaosTests {

    private static final int PROCESSES = Integer.getInteger("chaos.processes", 6);
    private static final Duration LENGTH = Duration.ofSeconds(Integer.getInteger("chaos.seconds", 5));
    /** Hardly more worker ids than processes, so that they are taken over. Clocks that were far ahead block some. */
    private static final int SPARE = 3 + (int) LENGTH.toSeconds() / 20;

    private static final Duration TTL = Duration.ofSeconds(1);

    private enum Fault {
        KILL,
        STOP,
        FREEZE,
        CLOCK,
        SERVER
    }

    @TempDir
    private Path directory;

    private final Random random = new Random(seed());
    private final Map<Fault, Integer> faults = new EnumMap<>(Fault.class);
    private final List<Member> members = new ArrayList<>();
    private Store store;
    private int started;

    @AfterEach
    void close() throws Exception {
        if (store != null) {
            store.end();
        }
    }

    private static void assumeChosen(Store.Kind store) {
        String only = System.getProperty("chaos.store", "usual");
        assumeThat(only.equals("usual") ? store.isUsual() : only.equals("all") || only.equalsIgnoreCase(store.name()))
                .as("stores to be tried: %s", only)
                .isTrue();
    }

    private static long seed() {
        Long seed = Long.getLong("chaos.seed");
        return seed == null ? System.nanoTime() : seed;
    }

    @ParameterizedTest
    @EnumSource
    void noIdIsMadeTwice(Store.Kind kind) throws Exception {
        assumeChosen(kind);
        store = kind.newStore();
        long seed = seed();
        random.setSeed(seed);
        prepare(PROCESSES + SPARE);
        try {
            for (int i = 0; i < PROCESSES; i++) {
                members.add(new Member(offset(5_000)));
            }
            for (Member member : members) {
                member.awaitLog("open");
            }
            long end = System.nanoTime() + LENGTH.toNanos();
            while (System.nanoTime() < end) {
                Fault fault = next();
                faults.merge(fault, 1, Integer::sum);
                inflict(fault, members.get(random.nextInt(PROCESSES)));
                Thread.sleep(random.nextInt(300));
            }
            Thread.sleep(3 * TTL.toMillis());
        } finally {
            for (Member member : members) {
                member.process.destroyForcibly().waitFor();
            }
        }

        long[] ids = ids();
        String summary = "%s, seed %d: %d processes, %d ids, faults %s, %d leases lost"
                .formatted(kind, seed, started, ids.length, faults, lost());
        System.out.println(summary);
        assertThat(duplicates(ids)).as(summary).isZero();
        assertThat(ids).as(summary).hasSizeGreaterThan(1000 * PROCESSES);
        assertThat(faults).as(summary).containsOnlyKeys(Fault.values());
    }

    /** While it is frozen, all worker ids are leased by others. */
    @ParameterizedTest
    @EnumSource
    void frozenProcessWhoseWorkerIdIsTakenGoesOnWithAnotherOne(Store.Kind kind) throws Exception {
        assumeChosen(kind);
        store = kind.newStore();
        prepare(3);
        Member frozen = new Member(0);
        List<SnowflakeIdGenerator> others = new ArrayList<>();
        List<Long> theirs = new ArrayList<>();
        try {
            frozen.awaitLog("workerId=0");
            frozen.awaitIds();
            frozen.freeze();
            for (int i = 0; i < 3; i++) {
                others.add(SnowflakeIdGenerator.builder()
                        .layout(ChaosProcess.LAYOUT)
                        .lease(LeaseTerms.of(Store.open(store.address()))
                                .ttl(TTL)
                                .acquireTimeout(Duration.ofSeconds(30)))
                        .build());
            }
            assertThat(others).extracting(other -> other.workerId().workerId()).containsExactlyInAnyOrder(0, 1, 2);
            others.forEach(other -> LongStream.of(other.nextIds(1000)).forEach(theirs::add));

            frozen.thaw();
            frozen.awaitLog("state=LOST, datacenterId=0, workerId=0");
            others.forEach(other -> LongStream.of(other.nextIds(1000)).forEach(theirs::add));
            int free = others.get(1).workerId().workerId();
            others.remove(1).close();
            frozen.awaitLog("state=HELD, datacenterId=0, workerId=" + free);
            frozen.awaitIds();
            others.forEach(SnowflakeIdGenerator::close);
        } finally {
            frozen.process.destroyForcibly().waitFor();
        }

        long[] ids = LongStream.concat(LongStream.of(ids()), theirs.stream().mapToLong(Long::longValue))
                .toArray();
        assertThat(theirs).hasSize(6000);
        assertThat(duplicates(ids)).isZero();
    }

    private void prepare(int workerIds) throws Exception {
        WorkerRegistry registry = store.openEmpty();
        for (int taken = workerIds; taken <= ChaosProcess.LAYOUT.maxWorkerId(); taken++) {
            registry.acquire(
                    null,
                    new WorkerRegistry.Claim(
                            0,
                            taken,
                            "nobody",
                            "nobody",
                            Instant.EPOCH,
                            Instant.now(),
                            ChaosProcess.LAYOUT.toString().replaceFirst(" \\(.*", "")),
                    Duration.ofDays(1));
        }
    }

    /** Each kind once, then by chance; the server not too often, so that there are leases to lose. */
    private Fault next() {
        int inflicted = faults.values().stream().mapToInt(Integer::intValue).sum();
        if (inflicted < Fault.values().length) {
            return Fault.values()[inflicted];
        }
        Fault fault = Fault.values()[random.nextInt(Fault.values().length)];
        return fault == Fault.SERVER && random.nextInt(4) > 0 ? Fault.FREEZE : fault;
    }

    private void inflict(Fault fault, Member member) throws Exception {
        if (!member.process.isAlive()) {
            // The server was away for too long when it started.
            members.set(members.indexOf(member), new Member(offset(5_000)));
            return;
        }
        switch (fault) {
            case KILL -> {
                member.process.destroyForcibly().waitFor();
                members.set(members.indexOf(member), new Member(offset(5_000)));
            }
            case STOP -> {
                member.thaw();
                member.process.destroy();
                assertThat(member.process.waitFor(60, TimeUnit.SECONDS))
                        .as(member.log())
                        .isTrue();
                members.set(members.indexOf(member), new Member(offset(5_000)));
            }
            case FREEZE -> {
                if (!member.frozen) {
                    member.freeze();
                } else {
                    member.thaw();
                }
            }
            case CLOCK -> member.setClock(offset(random.nextInt(12) == 0 ? 180_000 : 5_000));
            case SERVER -> {
                if (random.nextBoolean()) {
                    store.stop();
                } else {
                    store.forget();
                }
                Thread.sleep(random.nextInt(3000));
                store.address();
            }
        }
    }

    private int offset(int most) {
        return random.nextInt(2 * most) - most;
    }

    private final class Member {
        private final Path log;
        private final Process process;
        private boolean frozen;

        Member(int offMillis) throws Exception {
            String name = "process-" + started++;
            log = directory.resolve(name + ".log");
            process = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-XX:TieredStopAtLevel=1",
                            "-XX:+UseSerialGC",
                            "-Xmx64m",
                            "-cp",
                            System.getProperty("java.class.path"),
                            ChaosProcess.class.getName(),
                            store.address(),
                            Long.toString(TTL.toMillis()),
                            Integer.toString(offMillis),
                            directory.resolve(name + ".ids").toString())
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
        }

        void awaitLog(String text) throws Exception {
            while (!log().contains(text)) {
                assertThat(process.isAlive()).as(log()).isTrue();
                Thread.sleep(10);
            }
        }

        /** Ids that are made from now on. */
        void awaitIds() throws Exception {
            long before = written();
            while (written() < before + 100L * Long.BYTES) {
                assertThat(process.isAlive()).as(log()).isTrue();
                Thread.sleep(10);
            }
        }

        private long written() {
            return files(".ids").mapToLong(File::length).sum();
        }

        void freeze() throws Exception {
            signal("-STOP");
            frozen = true;
        }

        void thaw() throws Exception {
            signal("-CONT");
            frozen = false;
        }

        private void signal(String signal) throws Exception {
            new ProcessBuilder("kill", signal, Long.toString(process.pid()))
                    .start()
                    .waitFor();
        }

        /** A process that could not start, since the server was away, has ended. */
        void setClock(long offMillis) {
            try {
                process.getOutputStream().write((offMillis + "\n").getBytes(StandardCharsets.UTF_8));
                process.getOutputStream().flush();
            } catch (IOException ended) {
                assertThat(process.isAlive()).isFalse();
            }
        }

        String log() throws IOException {
            return Files.readString(log);
        }
    }

    private long[] ids() throws IOException {
        long[] all = new long[(int) (files(".ids").mapToLong(File::length).sum() / Long.BYTES)];
        int filled = 0;
        for (File file : files(".ids").toList()) {
            ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file.toPath()));
            long last = 0;
            while (bytes.remaining() >= Long.BYTES) {
                long id = bytes.getLong();
                assertThat(id > last).as("order within one thread").isTrue();
                last = id;
                all[filled++] = id;
            }
        }
        return Arrays.copyOf(all, filled);
    }

    private static int duplicates(long[] ids) {
        Arrays.sort(ids);
        int duplicates = 0;
        for (int i = 1; i < ids.length; i++) {
            duplicates += ids[i] == ids[i - 1] ? 1 : 0;
        }
        return duplicates;
    }

    private long lost() throws IOException {
        long lost = 0;
        for (File file : files(".log").toList()) {
            try (Stream<String> lines = Files.lines(file.toPath())) {
                lost += lines.filter(line -> line.contains("state=LOST")).count();
            }
        }
        return lost;
    }

    private Stream<File> files(String kind) {
        return Stream.of(directory.toFile().listFiles((folder, name) -> name.contains(kind)));
    }
}
