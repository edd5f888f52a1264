package io.github.snowflakeid.chaos;

import io.github.snowflakeid.LeaseTerms;
import io.github.snowflakeid.SnowflakeIdGenerator;
import io.github.snowflakeid.WorkerRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * A process that leases many worker IDs at once. Arguments: address of the store, number of worker IDs. It prints that
 * it is ready, begins when it reads a line, prints each pair of IDs, and ends when it reads another line.
 */
final class RushProcess {

    private RushProcess() {}

    /** This takes long while so many processes start, but a rollout does not include it. */
    private static void connect(WorkerRegistry registry) {
        while (true) {
            try {
                registry.read();
                return;
            } catch (RuntimeException e) {
                Thread.onSpinWait();
            }
        }
    }

    public static void main(String[] arguments) throws Exception {
        int leases = Integer.parseInt(arguments[1]);
        WorkerRegistry registry = Store.openForUsualLeases(arguments[0]);
        connect(registry);
        System.out.println("ready");
        System.in.read();
        List<Callable<SnowflakeIdGenerator>> openings = new ArrayList<>();
        for (int i = 0; i < leases; i++) {
            openings.add(() -> SnowflakeIdGenerator.builder()
                    .lease(LeaseTerms.of(registry).withAcquireTimeout(Duration.ofSeconds(60)))
                    .layout(RushTests.LAYOUT)
                    .build());
        }
        ExecutorService threads = Executors.newFixedThreadPool(leases);
        try {
            for (Future<SnowflakeIdGenerator> opened : threads.invokeAll(openings)) {
                System.out.println("worker " + opened.get().workerId().workerId());
            }
        } catch (ExecutionException e) {
            e.printStackTrace(System.out);
            System.exit(1);
        }
        System.out.println("done");
        System.in.read();
        System.exit(0);
    }
}
