package io.github.snowflakeid;

import io.github.snowflakeid.SimulatedRegistry.Connection;
import io.github.snowflakeid.SimulatedRegistry.Errors;
import io.github.snowflakeid.SimulatedRegistry.Fault;
import java.time.Duration;

/**
 * A generator that is closed while threads of its process are paused at chosen places, a combination that would hardly
 * ever occur by chance. There are no other failures.
 */
final class SimulatedClose {

    private static final long MICROSECOND = 1_000;

    private final Simulation simulation = new Simulation(1);
    private final IdLayout layout =
            IdLayout.builder().datacenterBits(0).workerBits(0).sequenceBits(8).build();
    private final Ledger ledger = new Ledger(simulation, layout);
    private final SimulatedRegistry registry = new SimulatedRegistry(simulation, ledger, Fault.NONE, Errors.NONE, null);
    private final Simulation.Process process = simulation.new Process("process", 0);
    private final Connection connection = registry.new Connection(process, "generator");
    private int running = 1;

    /**
     * Closes the generator between the commit of a renewal and the move of the fence. One caller waits for the move.
     * Another caller is paused before it waits, until the renewal has begun, and again from before the close until
     * after the move.
     *
     * @param batch how many ids the second caller asks for
     * @param first before which access to what is shared it stands still first
     * @param second and before which one again
     */
    void whileTheFenceMoves(int batch, int first, int second) {
        process.pauseAt("slow", new int[] {first, second}, 300 * MICROSECOND, 3_000 * MICROSECOND);
        run("batch of %s, standing still at %s and %s".formatted(batch, first, second), generator -> {
            process.start("slow", () -> ask(generator, batch, Integer.MAX_VALUE));
            process.sleep(100 * MICROSECOND);
            process.start("quick", () -> ask(generator, 10_000, Integer.MAX_VALUE));
            // The registry commits half a millisecond after the call, and answers another half millisecond later.
            process.sleep(800 * MICROSECOND);
        });
    }

    /**
     * Closes the generator while the ticker is about to set a limit. The ticker is paused until the generator is
     * closed, and again while a caller continues that was paused before the close.
     *
     * @param batch how many ids the caller asks for
     * @param first before which access to what is shared the ticker stands still first
     * @param second and before which one again
     * @param caller before which one the caller does
     */
    void whileTheTickerLooks(int batch, int first, int second, int caller) {
        process.pauseAt("snowflake-ticker", new int[] {first, second}, 300 * MICROSECOND, 200 * MICROSECOND);
        process.pauseAt("slow", new int[] {caller}, 350 * MICROSECOND);
        String what = "batch of %s, ticker standing still at %s and %s, caller at %s";
        run(what.formatted(batch, first, second, caller), generator -> {
            // So many IDs that the ticker starts, and the next tick is near, which the release does not include.
            process.start("quick", () -> ask(generator, 1, layout.maxSequence()));
            process.sleep(40 * MICROSECOND);
            process.start("slow", () -> ask(generator, batch, Integer.MAX_VALUE));
            process.sleep(60 * MICROSECOND);
        });
    }

    private interface Scenario {
        void play(SnowflakeIdGenerator generator);
    }

    private void run(String what, Scenario scenario) {
        try {
            process.start("main", () -> live(scenario));
            simulation.switchOnceIn(0, 0, 0);
            simulation.calmDown(0);
            simulation.run(() -> running == 0);
        } catch (Throwable e) {
            throw new AssertionError("%s: %s".formatted(what, e.getMessage()), e);
        } finally {
            simulation.end();
        }
    }

    private void live(Scenario scenario) {
        try (SnowflakeIdGenerator generator = SnowflakeIdGenerator.builder()
                .layout(layout)
                .time(process)
                .maxDrift(Duration.ofDays(1))
                .lease(LeaseTerms.of(connection).withTtl(Duration.ofSeconds(1)))
                .build()) {
            running += 2;
            scenario.play(generator);
        }
        running--;
    }

    private void ask(SnowflakeIdGenerator generator, int batch, int times) {
        try {
            for (int i = 0; i < times; i++) {
                ledger.issued(connection, batch == 1 ? new long[] {generator.nextId()} : generator.nextIds(batch));
                if (times == Integer.MAX_VALUE) {
                    process.sleep(MICROSECOND);
                }
            }
        } catch (GeneratorClosedException e) {
            // Expected.
        }
        running--;
    }
}
