package io.github.snowflakeid.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.snowflakeid.LeaseTerms;
import io.github.snowflakeid.SnowflakeIdGenerator;
import io.github.snowflakeid.WorkerRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Real processes on real servers: killed, stopped, frozen for longer than a lease lasts, with clocks that are off and
 * are set by minutes, while the server is stopped and started. Each ID is written to a file, and no ID may occur twice.
 *
 * <p>Short by default. For a longer run: {@code -Dchaos.seconds=120 -Dchaos.processes=12 -Dchaos.seed=1
 * -Dchaos.store=mariadb}. A seed decides the faults, but their timing depends on the machine.
 */
// Slow: starts dozens of processes and restarts servers.
@Tag("full")
@Tag("servers")
class ChaosTests {

    private static final int PROCESSES = Integer.getInteger("chaos.processes", 6);
    private static final Duration LENGTH = Duration.ofSeconds(Integer.getInteger("chaos.seconds", 5));
    /**
     * Hardly more worker IDs than processes, so that worker IDs are taken over. Clocks that were far ahead block some
     * worker IDs.
     */
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

    static long seed() {
        Long seed = Long.getLong("chaos.seed");
        return seed == null ? System.nanoTime() : seed;
    }

    @ParameterizedTest
    @EnumSource
    void noIdIsIssuedTwice(Store.Kind kind) throws Exception {
        kind.assumeChosen();
        store = kind.newStore();
        long seed = seed();
        Instant lastLoss = Instant.MIN;
        System.out.printf("%s, seed %s: %s%n", kind, seed, LENGTH);
        random.setSeed(seed);
        prepare(PROCESSES + SPARE);
        try {
            for (int i = 0; i < PROCESSES; i++) {
                members.add(start(offset(5_000)));
            }
            for (Member member : members) {
                member.awaitLog("open");
            }
            long end = System.nanoTime() + LENGTH.toNanos();
            while (System.nanoTime() < end || faults.size() < Fault.values().length) {
                Fault fault = next();
                faults.merge(fault, 1, Integer::sum);
                inflict(fault, members.get(random.nextInt(PROCESSES)));
                Thread.sleep(random.nextInt(300));
            }
            if (store.forgetsUpTo().isZero()) {
                Thread.sleep(3 * TTL.toMillis());
            } else {
                store.forget();
                lastLoss = Instant.now();
                Member afterwards = start(0);
                members.add(afterwards);
                afterwards.awaitLog("open");
                afterwards.awaitIds();
            }
        } finally {
            for (Member member : members) {
                member.kill();
            }
        }

        long[] ids = IdFiles.in(directory);
        String summary = "%s, seed %s: %s processes, %s ids, faults %s, %s leases lost"
                .formatted(kind, seed, started, ids.length, faults, lost());
        System.out.println(summary);
        assertThat(IdFiles.duplicates(ids)).as(summary).isZero();
        assertThat(ids).as(summary).hasSizeGreaterThan(1000 * PROCESSES);
        assertThat(faults).as(summary).containsOnlyKeys(Fault.values());
        if (!store.forgetsUpTo().isZero()) {
            // The IDs are sorted here.
            assertThat(ChaosProcess.LAYOUT.decode(ids[ids.length - 1]).timestamp())
                    .as("ids after the last loss, %s", summary)
                    .isAfter(lastLoss.plus(store.forgetsUpTo()));
        }
    }

    /** While the process is frozen, other processes lease all worker IDs. */
    @ParameterizedTest
    @EnumSource
    void frozenProcessWhoseWorkerIdIsTakenOverContinuesWithAnotherOne(Store.Kind kind) throws Exception {
        kind.assumeChosen();
        store = kind.newStore();
        prepare(3);
        Member frozen = start(0);
        List<SnowflakeIdGenerator> others = new ArrayList<>();
        List<Long> theirs = new ArrayList<>();
        try {
            frozen.awaitLog("workerId=0");
            frozen.awaitIds();
            do {
                frozen.thaw();
                Thread.sleep(100);
                frozen.freeze();
                // The server may still be executing earlier statements.
                Thread.sleep(1_000);
            } while (store.isLocked());
            for (int i = 0; i < 3; i++) {
                others.add(SnowflakeIdGenerator.builder()
                        .layout(ChaosProcess.LAYOUT)
                        .lease(LeaseTerms.of(Store.open(store.address()))
                                .withTtl(TTL)
                                .withAcquireTimeout(Duration.ofMinutes(1)))
                        // A renewal may be late.
                        .maxWait(Duration.ofMinutes(1))
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
            frozen.kill();
        }

        long[] ids = LongStream.concat(
                        LongStream.of(IdFiles.in(directory)), theirs.stream().mapToLong(Long::longValue))
                .toArray();
        assertThat(theirs).hasSize(6000);
        assertThat(IdFiles.duplicates(ids)).isZero();
    }

    private void prepare(int workerIds) throws Exception {
        WorkerRegistry registry = store.openEmpty();
        for (int taken = workerIds; taken <= ChaosProcess.LAYOUT.maxWorkerId(); taken++) {
            registry.acquire(
                    null,
                    WorkerRegistry.Claim.of(
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

    /** Returns each kind once, then random kinds. The server fails rarely enough that there are leases to lose. */
    private Fault next() {
        int inflicted = faults.values().stream().mapToInt(Integer::intValue).sum();
        if (inflicted < Fault.values().length) {
            return Fault.values()[inflicted];
        }
        Fault fault = Fault.values()[random.nextInt(Fault.values().length)];
        return fault == Fault.SERVER && random.nextInt(4) > 0 ? Fault.FREEZE : fault;
    }

    private void inflict(Fault fault, Member member) throws Exception {
        if (!member.isAlive()) {
            // The server was down for too long when the process started.
            members.set(members.indexOf(member), start(offset(5_000)));
            return;
        }
        switch (fault) {
            case KILL -> {
                member.kill();
                members.set(members.indexOf(member), start(offset(5_000)));
            }
            case STOP -> {
                member.stop();
                members.set(members.indexOf(member), start(offset(5_000)));
            }
            case FREEZE -> member.freezeOrThaw();
            case CLOCK -> member.say(offset(random.nextInt(12) == 0 ? 180_000 : 5_000));
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

    private Member start(int offMillis) throws Exception {
        return new Member(
                directory,
                "process-" + started++,
                ChaosProcess.class,
                store.address(),
                Long.toString(TTL.toMillis()),
                Integer.toString(offMillis));
    }

    private long lost() throws IOException {
        long lost = 0;
        for (Path log : IdFiles.files(directory, ".log")) {
            try (Stream<String> lines = Files.lines(log)) {
                lost += lines.filter(line -> line.contains("state=LOST")).count();
            }
        }
        return lost;
    }
}
