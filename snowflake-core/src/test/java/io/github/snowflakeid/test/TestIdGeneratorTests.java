package io.github.snowflakeid.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.snowflakeid.IdFields;
import io.github.snowflakeid.IdLayout;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class TestIdGeneratorTests {

    private static final Instant MARCH = Instant.parse("2026-03-01T00:00:00Z");

    private final TestIdGenerator ids = new TestIdGenerator();

    @Test
    void countsFromOne() {
        assertThat(ids.nextId()).isEqualTo(1);
        assertThat(ids.tryNextId()).hasValue(2);
        assertThat(ids.nextIds(3)).containsExactly(3, 4, 5);
        assertThat(ids.nextId()).isEqualTo(6);
    }

    @Test
    void reportsTheIssuedIds() {
        assertThat(ids.issued()).isEmpty();
        ids.nextIds(2);
        List<Long> issued = ids.issued();
        ids.nextId();

        assertThat(issued).containsExactly(1L, 2L);
        assertThat(ids.issued()).containsExactly(1L, 2L, 3L);
    }

    @Test
    void startsAgainAfterAReset() {
        ids.nextIds(2);
        ids.reset();

        assertThat(ids.issued()).isEmpty();
        assertThat(ids.nextId()).isEqualTo(1);
    }

    @Test
    void issuesIdsOfALayoutFromAnInstantOn() {
        TestIdGenerator ofMarch = TestIdGenerator.startingAt(IdLayout.DEFAULT, MARCH);

        assertThat(ofMarch.nextId()).isEqualTo(IdLayout.DEFAULT.firstId(MARCH));
        assertThat(IdLayout.DEFAULT.decode(ofMarch.nextId())).isEqualTo(new IdFields(MARCH, 0, 0, 1));
        assertThat(ofMarch.issued()).allMatch(IdLayout.DEFAULT.range(MARCH, MARCH.plusMillis(1))::contains);
    }

    @Test
    void entersTheNextTickAfterTheHighestSequence() {
        IdLayout layout = IdLayout.BAIDU.toBuilder().sequenceBits(1).build();
        Instant second = Instant.parse("2020-01-01T00:00:07Z");
        TestIdGenerator generator = TestIdGenerator.startingAt(layout, second.plusMillis(500));

        assertThat(LongStream.of(generator.nextIds(3)).mapToObj(layout::decode))
                .containsExactly(
                        new IdFields(second, 0, 0, 0),
                        new IdFields(second, 0, 0, 1),
                        new IdFields(second.plusSeconds(1), 0, 0, 0));
    }

    @Test
    void startMustBeInTheLifeOfTheLayout() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TestIdGenerator.startingAt(IdLayout.DEFAULT, Instant.EPOCH))
                .withMessageStartingWith("timestamp must be at or after 2025-01-01T00:00:00Z and before");
    }

    @Test
    void threadsGetEachIdOnce() throws InterruptedException {
        List<Long> all = Collections.synchronizedList(new ArrayList<>());
        ExecutorService threads = Executors.newFixedThreadPool(4);
        for (int thread = 0; thread < 4; thread++) {
            threads.execute(() -> {
                for (int i = 0; i < 1000; i++) {
                    all.add(ids.nextId());
                }
            });
        }
        threads.shutdown();

        assertThat(threads.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
        assertThat(all).hasSize(4000).containsExactlyInAnyOrderElementsOf(ids.issued());
        assertThat(all).doesNotHaveDuplicates();
    }
}
