package io.github.snowflakeid;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A renewal is confirmed after the generator was closed, while a caller still waits for the fence. */
@ExtendWith(Interleaving.class)
class MovedFenceTests {

    /** More accesses than a call needs before it waits. */
    private static final int MOST_POINTS = 48;

    private static final long MICROSECOND = 1_000;

    /** Sixteen IDs fill a tick. */
    private static final IdLayout LAYOUT =
            IdLayout.builder().datacenterBits(0).workerBits(4).sequenceBits(4).build();

    @ParameterizedTest
    @ValueSource(ints = {17, 20})
    void fenceThatMovesAfterTheAllocationWasReplacedDoesNotCount(int batch) {
        for (int point = 1; point <= MOST_POINTS; point++) {
            Simulation simulation = new Simulation(1);
            Simulation.Process process = simulation.new Process("process", 0);
            process.pauseAt("slow", new int[] {point}, 1_000 * MICROSECOND);
            boolean[] done = new boolean[1];
            boolean[] rejected = new boolean[1];
            String what = "batch of %s, standing still at %s".formatted(batch, point);
            process.start("main", () -> {
                SnowflakeIdGenerator generator = SnowflakeIdGenerator.builder()
                        .layout(LAYOUT)
                        .time(process)
                        .worker(WorkerIdAssigner.fixed(0, 1))
                        .maxDrift(Duration.ofDays(1))
                        .build();
                long now = LAYOUT.tickAtOrAfter(process.timestamp());
                Allocation leased = Allocation.leased(
                        new Allocation.Grant(new WorkerId(0, 1, "test"), LAYOUT, 0, now + 1, now + 1),
                        now << 4,
                        generator.allocation());
                generator.replace(generator.allocation(), leased);
                process.start("slow", () -> {
                    try {
                        generator.nextIds(batch);
                    } catch (GeneratorClosedException e) {
                        rejected[0] = true;
                    }
                    done[0] = true;
                });
                process.sleep(100 * MICROSECOND);
                generator.replace(leased, leased.closed());
                leased.moveFence(now + 100, now + 100);
            });
            simulation.switchOnceIn(0, 0, 0);
            simulation.calmDown(0);
            try {
                simulation.run(() -> done[0]);
            } catch (Throwable e) {
                throw new AssertionError(what, e);
            } finally {
                simulation.end();
            }
            assertThat(rejected[0]).as(what).isTrue();
        }
    }
}
