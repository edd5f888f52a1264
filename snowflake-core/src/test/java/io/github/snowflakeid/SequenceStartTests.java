package io.github.snowflakeid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.snowflakeid.test.SettableClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SequenceStartTests {

    private static final IdLayout LAYOUT = IdLayout.SHARDINGSPHERE;

    private final SettableClock clock = SettableClock.at(LAYOUT.timestampOf(0));

    @Test
    void rotatingStartYieldsTheSequenceThatShardingSpherePublished() {
        SnowflakeIdGenerator generator = startingAt(SequenceStart.rotating(2));
        List<Long> ids = new ArrayList<>(List.of(generator.nextId()));
        while (ids.size() < 8) {
            clock.advance(Duration.ofMillis(1));
            ids.add(generator.nextId());
            ids.add(generator.nextId());
        }

        assertThat(ids.subList(0, 8))
                .containsExactly(0L, 4194305L, 4194306L, 8388608L, 8388609L, 12582913L, 12582914L, 16777216L);
    }

    @Test
    void zeroStartsEveryTickAtZero() {
        assertThat(firstSequencesOf(SequenceStart.zero(), 5)).containsExactly(0, 0, 0, 0, 0);
    }

    @Test
    void rotatingStartGoesThroughAllItsStartsInTurn() {
        assertThat(firstSequencesOf(SequenceStart.rotating(3), 8)).containsExactly(0, 1, 2, 0, 1, 2, 0, 1);
    }

    @Test
    void randomStartUsesAllItsStartsAndNoOther() {
        Set<Integer> starts = new TreeSet<>(firstSequencesOf(SequenceStart.random(4), 400));

        assertThat(starts).containsExactly(0, 1, 2, 3);
    }

    @Test
    void idsIssuedAtALowRateSpreadOverShardsOnlyWithAStartOtherThanZero() {
        assertThat(shardsOf(SequenceStart.zero())).containsExactly(0L);
        assertThat(shardsOf(SequenceStart.rotating(4))).containsExactly(0L, 1L, 2L, 3L);
        assertThat(shardsOf(SequenceStart.random(64))).containsExactly(0L, 1L, 2L, 3L);
    }

    @Test
    void startThatLeavesOneIdInTheTickStillGivesThatOne() {
        IdLayout layout = LAYOUT.toBuilder().sequenceBits(1).build();
        SnowflakeIdGenerator generator = SnowflakeIdGenerator.builder()
                .layout(layout)
                .worker(WorkerIdAssigner.fixed(0, 0))
                .clock(clock)
                .sequenceStart(SequenceStart.rotating(2))
                .build();
        clock.set(layout.timestampOf(5));

        assertThat(layout.decode(generator.nextId())).satisfies(fields -> {
            assertThat(fields.sequence()).isEqualTo(1);
            assertThat(fields.timestamp()).isEqualTo(clock.instant());
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, Integer.MIN_VALUE})
    void boundMustBePositive(int bound) {
        String message = "bound of the sequence start must be at least 1, but was " + bound;

        assertThatIllegalArgumentException()
                .isThrownBy(() -> SequenceStart.random(bound))
                .withMessage(message);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SequenceStart.rotating(bound))
                .withMessage(message);
    }

    @Test
    void boundMustNotExceedTheSequence() {
        assertThat(startingAt(SequenceStart.random(4096)).nextId()).isBetween(0L, 4095L);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> startingAt(SequenceStart.rotating(4097)))
                .withMessage("bound of the sequence start must be in [1, 4096] (12 sequence bits), but was 4097");
    }

    @Test
    void describesItsNameAndBound() {
        assertThat(SequenceStart.zero()).hasToString("zero");
        assertThat(SequenceStart.random(64)).hasToString("random below 64");
        assertThat(SequenceStart.rotating(2)).hasToString("rotating below 2");
    }

    private List<Integer> firstSequencesOf(SequenceStart start, int ticks) {
        SnowflakeIdGenerator generator = startingAt(start);
        List<Integer> sequences = new ArrayList<>();
        for (int i = 0; i < ticks; i++) {
            sequences.add(LAYOUT.decode(generator.nextId()).sequence());
            clock.advance(Duration.ofMillis(1));
        }
        return sequences;
    }

    private Set<Long> shardsOf(SequenceStart start) {
        SnowflakeIdGenerator generator = startingAt(start);
        Set<Long> shards = new TreeSet<>();
        for (int i = 0; i < 400; i++) {
            shards.add(generator.nextId() % 4);
            clock.advance(Duration.ofMillis(1));
        }
        return shards;
    }

    private SnowflakeIdGenerator startingAt(SequenceStart start) {
        return SnowflakeIdGenerator.builder()
                .layout(LAYOUT)
                .worker(WorkerIdAssigner.fixed(0, 0))
                .clock(clock)
                .sequenceStart(start)
                .build();
    }
}
