package io.github.snowflakeid.pages;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.snowflakeid.SequenceStart;
import io.github.snowflakeid.SnowflakeIdGenerator;
import io.github.snowflakeid.WorkerIdAssigner;
import io.github.snowflakeid.test.SettableClock;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks docs/sharding.md. */
class ShardingPageTests {

    private static final int ROWS = 9_600;

    /** Returns IDs of a low rate: at most one in a tick. */
    private static long[] ids(SequenceStart start) {
        SettableClock clock = SettableClock.at(Instant.parse("2026-03-01T00:00:00Z"));
        Random pauses = new Random(7);
        try (SnowflakeIdGenerator generator = SnowflakeIdGenerator.builder()
                .worker(WorkerIdAssigner.fixed(3, 7))
                .clock(clock)
                .sequenceStart(start)
                .build()) {
            return LongStream.range(0, ROWS)
                    .map(row -> {
                        clock.advance(Duration.ofMillis(1 + pauses.nextInt(4)));
                        return generator.nextId();
                    })
                    .toArray();
        }
    }

    private static long[] rowsOfShards(long[] ids, int shards) {
        long[] rows = new long[shards];
        Arrays.stream(ids).forEach(id -> rows[(int) (id % shards)]++);
        return rows;
    }

    @ParameterizedTest
    @CsvSource({"2, 1", "4, 1", "8, 1", "16, 1", "6, 3", "10, 5", "12, 3", "3, 3", "5, 5", "7, 7"})
    void startAtZeroUsesTheShardsOfTheTable(int shards, int used) {
        long[] rows = rowsOfShards(ids(SequenceStart.zero()), shards);

        assertThat(Arrays.stream(rows).filter(each -> each > 0)).hasSize(used).allMatch(each -> each > ROWS / used / 2);
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 4, 8, 16})
    void rotatingStartUsesAllShardsThatDivideTheBoundEvenly(int shards) {
        assertThat(rowsOfShards(ids(SequenceStart.rotating(16)), shards)).containsOnly(ROWS / shards);
    }

    @Test
    void hashCodeChangesAboutOnceASecond() {
        long[] hashes = Arrays.stream(ids(SequenceStart.zero()))
                .limit(300)
                .map(id -> Long.hashCode(id) & 15)
                .toArray();

        assertThat(Arrays.stream(hashes).distinct().count()).isLessThanOrEqualTo(2);
    }
}
