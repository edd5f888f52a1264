package io.github.snowflakeid;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The count of IDs while a thread is paused before one of its accesses to shared memory; each access is tried. */
@ExtendWith(Interleaving.class)
class CountTests {

    /** More accesses than a call needs. */
    private static final int MOST_POINTS = 40;

    private static final long MICROSECOND = 1_000;
    private static final long HOUR_MILLIS = 3_600_000;

    private static final IdLayout LAYOUT =
            IdLayout.builder().datacenterBits(0).workerBits(4).build();

    /** An action while a thread is paused that requests IDs an hour after the last ones. */
    private interface Meanwhile {
        void happens(Simulation.Process process, SnowflakeIdGenerator generator, AtomicLong issued);
    }

    /** @param isCounted whether the number of IDs was read before */
    private static void standStill(int batch, int point, boolean isCounted, Meanwhile meanwhile) {
        Simulation simulation = new Simulation(1);
        Simulation.Process process = simulation.new Process("process", 0);
        process.pauseAt("slow", new int[] {point}, 1_000 * MICROSECOND);
        AtomicLong issued = new AtomicLong();
        boolean[] done = new boolean[1];
        process.start("main", () -> {
            SnowflakeIdGenerator generator = SnowflakeIdGenerator.builder()
                    .layout(LAYOUT)
                    .time(process)
                    .worker(WorkerIdAssigner.fixed(0, 1))
                    .build();
            ask(generator, 5, issued);
            if (isCounted) {
                generator.statistics();
            }
            process.stepClock(HOUR_MILLIS);
            process.start("slow", () -> ask(generator, batch, issued));
            process.sleep(100 * MICROSECOND);
            meanwhile.happens(process, generator, issued);
            process.sleep(10_000 * MICROSECOND);

            // The slots of a claim may be discarded, and the first slot of a batch is claimed separately.
            assertThat(generator.statistics().issued())
                    .as("batch of %s, standing still at %s", batch, point)
                    .isBetween(issued.get(), issued.get() + batch);
            done[0] = true;
        });
        simulation.switchOnceIn(0, 0, 0);
        simulation.calmDown(0);
        try {
            simulation.run(() -> done[0]);
        } catch (Throwable e) {
            throw new AssertionError(e.getCause() == null ? e : e.getCause());
        } finally {
            simulation.end();
        }
    }

    private static void ask(SnowflakeIdGenerator generator, int batch, AtomicLong issued) {
        try {
            if (batch == 1) {
                generator.nextId();
            } else {
                generator.nextIds(batch);
            }
            issued.addAndGet(batch);
        } catch (GeneratorClosedException e) {
            // No ID was issued then.
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void threadThatStandsStillInAClaimIsCountedForNoIdThatItHasNot(int batch) {
        for (int point = 1; point <= MOST_POINTS; point++) {
            standStill(batch, point, true, (process, generator, issued) -> {
                assertThat(generator.statistics().issued()).isBetween(issued.get(), issued.get() + batch);
                ask(generator, 2, issued);
                assertThat(generator.statistics().issued()).isBetween(5L, issued.get() + batch);
            });
        }
    }

    @Test
    void idsBeforeACloseAreCountedAlsoIfAThreadStandsStillInAClaimMeanwhile() {
        for (int point = 1; point <= MOST_POINTS; point++) {
            standStill(1, point, false, (process, generator, issued) -> {
                generator.close();
                process.sleep(5_000 * MICROSECOND);
                generator.reopen();
                ask(generator, 2, issued);
            });
        }
    }
}
