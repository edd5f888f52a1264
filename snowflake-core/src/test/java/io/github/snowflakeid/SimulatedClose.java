package io.github.snowflakeid;

import io.github.snowflakeid.SimulatedRegistry.Connection;
import io.github.snowflakeid.SimulatedRegistry.Errors;
import io.github.snowflakeid.SimulatedRegistry.Fault;
import io.github.snowflakeid.worker.LeaseTerms;
import java.time.Duration;

/**
 * A generator that is closed between the commit of a renewal and the move of the fence, while one caller waits for that and
 * another one stands still twice, anywhere: before the first one has come to the fence, and from before the close until
 * after the move. Chance would seldom come upon this.
 */
final class SimulatedClose {

    private static final long MICROSECOND = 1_000;

    private final Simulation simulation = new Simulation(1);
    private final IdLayout layout =
            IdLayout.builder().datacenterBits(0).workerBits(0).sequenceBits(8).build();
    private final Ledger ledger = new Ledger(simulation, layout);
    private final SimulatedRegistry registry = new SimulatedRegistry(simulation, ledger, Fault.NONE, Errors.NONE);
    private int running = 1;

    /**
     * Runs it.
     *
     * @param batch how many ids the second caller asks for
     * @param first before which access to what is shared it stands still first
     * @param second and before which one again
     */
    void run(int batch, int first, int second) {
        try {
            Simulation.Process process = simulation.new Process("process", 0);
            process.start("main", () -> live(process, batch, first, second));
            simulation.switchOnceIn(0, 0, 0);
            simulation.calmDown(0);
            simulation.run(() -> running == 0);
        } catch (Throwable failed) {
            throw new AssertionError(
                    "Batch of %d, standing still at %d and %d: %s".formatted(batch, first, second, failed.getMessage()),
                    failed);
        } finally {
            simulation.end();
        }
    }

    private void live(Simulation.Process process, int batch, int first, int second) {
        Connection connection = registry.new Connection(process, "generator");
        try (SnowflakeIdGenerator generator = SnowflakeIdGenerator.builder()
                .layout(layout)
                .time(process)
                .maxDrift(Duration.ofDays(1))
                .lease(LeaseTerms.of(connection).ttl(Duration.ofSeconds(1)))
                .build()) {
            running += 2;
            process.start("slow", () -> {
                // The first time until the renewal has begun, the second time until it has ended.
                Simulation.pauseAt(new int[] {first, second}, 300 * MICROSECOND, 3_000 * MICROSECOND);
                ask(connection, generator, batch);
            });
            process.sleep(100 * MICROSECOND);
            process.start("quick", () -> ask(connection, generator, 10_000));
            // The registry commits half a millisecond after it was asked, and answers another half later.
            process.sleep(800 * MICROSECOND);
        }
        running--;
    }

    private void ask(Connection connection, SnowflakeIdGenerator generator, int batch) {
        while (true) {
            try {
                ledger.made(connection, batch == 1 ? new long[] {generator.nextId()} : generator.nextIds(batch));
            } catch (GeneratorClosedException closed) {
                running--;
                return;
            }
        }
    }
}
