package io.github.snowflakeid.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.snowflakeid.redis.CuttingProxy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Real processes with eight threads each fetch numbers of one counter on real servers. Processes are killed, stopped
 * and frozen; the server is killed and started; answers are lost after the write was executed. Each number is written
 * to a file, and no number may occur twice.
 *
 * <p>Short by default. For a longer run: {@code -Dchaos.seconds=120 -Dchaos.processes=16 -Dchaos.seed=1
 * -Dchaos.store=all -Dchaos.outage=60}.
 */
// Slow: starts dozens of processes and restarts servers.
@Tag("full")
@Tag("servers")
class SegmentChaosTests {

    private static final int PROCESSES = Integer.getInteger("chaos.processes", 3);
    private static final Duration LENGTH = Duration.ofSeconds(Integer.getInteger("chaos.seconds", 3));
    private static final Duration OUTAGE = Duration.ofSeconds(Integer.getInteger("chaos.outage", 2));
    private static final Pattern PORT = Pattern.compile("(?<=:)\\d{4,5}(?=/|$)");

    private enum Fault {
        ANSWER,
        FREEZE,
        KILL,
        STOP,
        SERVER
    }

    @TempDir
    private Path directory;

    private final Random random = new Random();
    private final Map<Fault, Integer> faults = new EnumMap<>(Fault.class);
    private final List<Member> members = new ArrayList<>();
    private final List<Store> stores = new ArrayList<>();
    private int started;

    @AfterEach
    void end() throws Exception {
        for (Member member : members) {
            member.kill();
        }
        for (Store store : stores) {
            store.end();
        }
    }

    private Store open(Store.Kind kind) throws Exception {
        Store store = kind.newStore();
        stores.add(store);
        assertThat(store.openCounters().read(SegmentProcess.NAME)).isNull();
        return store;
    }

    private Member start(String... addresses) throws Exception {
        return new Member(directory, "process-" + started++, SegmentProcess.class, addresses);
    }

    /** Returns a text that is in each request, or answer, of a write of a counter. */
    private static String writing(Store.Kind kind) {
        return switch (kind) {
            case POSTGRESQL -> "COMMIT";
            case MARIADB -> "UPDATE snowflake_counter";
            case REDIS -> "HSET";
            default -> throw new IllegalArgumentException(kind.name());
        };
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB", "REDIS"})
    void noNumberIsIssuedTwice(Store.Kind kind) throws Exception {
        kind.assumeChosen();
        long seed = ChaosTests.seed();
        random.setSeed(seed);
        Store store = open(kind);
        Matcher port = PORT.matcher(store.address());
        assertThat(port.find()).as(store.address()).isTrue();
        try (CuttingProxy proxy = new CuttingProxy(Integer.parseInt(port.group()))) {
            String address = port.replaceFirst(Integer.toString(proxy.port()));
            for (int i = 0; i < PROCESSES; i++) {
                members.add(start(address));
            }
            for (Member member : members) {
                member.awaitLog("ready");
            }
            long end = System.nanoTime() + LENGTH.toNanos();
            while (System.nanoTime() < end || faults.size() < Fault.values().length) {
                Fault fault = next();
                faults.merge(fault, 1, Integer::sum);
                if (fault == Fault.ANSWER) {
                    proxy.cutAnswerWith(writing(kind));
                } else {
                    inflict(fault, store, address);
                }
                Thread.sleep(random.nextInt(300));
            }
            for (Member member : members) {
                member.stop();
            }
            long[] numbers = IdFiles.in(directory);
            long taken = Objects.requireNonNull(
                            Store.openCounters(store.address()).read(SegmentProcess.NAME))
                    .last();
            String summary =
                    "%s, seed %s: %s processes, %s numbers, %s taken but not issued, faults %s, %s answers lost, %s calls refused"
                            .formatted(
                                    kind,
                                    seed,
                                    started,
                                    numbers.length,
                                    taken - numbers.length,
                                    faults,
                                    proxy.cuts(),
                                    count("refused"));
            System.out.println(summary);
            assertThat(IdFiles.duplicates(numbers)).as(summary).isZero();
            assertThat(numbers).as(summary).hasSizeGreaterThan(1_000 * PROCESSES);
            assertThat(numbers[numbers.length - 1]).as(summary).isLessThanOrEqualTo(taken);
            assertThat(faults).as(summary).containsOnlyKeys(Fault.values());
        }
    }

    /** Returns each kind once, then random kinds. The server fails rarely enough that numbers are issued. */
    private Fault next() {
        int inflicted = faults.values().stream().mapToInt(Integer::intValue).sum();
        if (inflicted < Fault.values().length) {
            return Fault.values()[inflicted];
        }
        Fault fault = Fault.values()[random.nextInt(Fault.values().length)];
        return fault == Fault.SERVER && random.nextInt(4) > 0 ? Fault.ANSWER : fault;
    }

    private void inflict(Fault fault, Store store, String address) throws Exception {
        int chosen = random.nextInt(members.size());
        Member member = members.get(chosen);
        switch (fault) {
            case KILL -> {
                member.kill();
                members.set(chosen, start(address));
            }
            case STOP -> {
                member.stop();
                members.set(chosen, start(address));
            }
            case FREEZE -> member.freezeOrThaw();
            default -> {
                if (random.nextBoolean()) {
                    store.kill();
                } else {
                    store.stop();
                }
                Thread.sleep(random.nextInt(1_000));
                store.address();
            }
        }
    }

    @Test
    void databaseThatIsKilledAndComesBackIsNoticedByNoCaller() throws Exception {
        Store killed = open(Store.Kind.POSTGRESQL);
        Store other = open(Store.Kind.MARIADB);
        int processes = Math.min(PROCESSES, 2);
        for (int i = 0; i < processes; i++) {
            members.add(start(killed.address(), other.address()));
        }
        for (Member member : members) {
            member.awaitLog("ready");
        }
        members.get(0).awaitIds();

        killed.kill();
        for (Member member : members) {
            member.awaitLog("left out");
        }
        Thread.sleep(OUTAGE.toMillis());
        members.get(0).awaitIds();
        killed.address();
        for (Member member : members) {
            member.awaitLog("taken back");
        }
        members.get(0).awaitIds();
        for (Member member : members) {
            member.stop();
        }

        long[] numbers = IdFiles.in(directory);
        String summary = "%s processes, %s numbers, one of two databases away for %s s, %s calls refused"
                .formatted(processes, numbers.length, OUTAGE.toSeconds(), count("refused"));
        System.out.println(summary);
        assertThat(IdFiles.duplicates(numbers)).as(summary).isZero();
        assertThat(count("refused")).as(summary).isZero();
        assertThat(count("left out")).as("told by each").isGreaterThanOrEqualTo(processes);
        assertThat(LongStream.of(numbers)).as("numbers of both").anyMatch(number -> number % 2 == 0);
    }

    private long count(String event) throws IOException {
        long count = 0;
        for (Path log : IdFiles.files(directory, ".log")) {
            try (Stream<String> lines = Files.lines(log)) {
                count += lines.filter(line -> line.startsWith(event)).count();
            }
        }
        return count;
    }
}
