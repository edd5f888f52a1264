package io.github.snowflakeid.file;

import io.github.snowflakeid.GeneratorClosedException;
import io.github.snowflakeid.IdLayout;
import io.github.snowflakeid.LeaseTerms;
import io.github.snowflakeid.SnowflakeIdGenerator;
import io.github.snowflakeid.WorkerRegistry.Claim;
import io.github.snowflakeid.worker.DocumentRegistry;
import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** Another process that uses the same directory. The first argument is the command, the second one the directory. */
final class LeasingProcess {

    static final IdLayout LAYOUT =
            IdLayout.builder().datacenterBits(2).workerBits(10).sequenceBits(8).build();

    static final int DATACENTER_ID = 3;
    static final Duration TTL = Duration.ofSeconds(20);

    private LeasingProcess() {}

    public static void main(String[] arguments) throws Exception {
        Path directory = Path.of(arguments[1]);
        switch (arguments[0]) {
            case "ids" -> makeIds(registry(directory), Path.of(arguments[2]));
            case "leases" -> lease(registry(directory), Integer.parseInt(arguments[2]));
            case "claims" -> claim(patient(directory), Integer.parseInt(arguments[2]), Integer.parseInt(arguments[3]));
            case "lock" -> {
                FileDocuments.Hook stop = step -> {
                    System.out.println("open");
                    LockSupport.park();
                };
                FileDocuments.Settings settings =
                        new FileDocuments.Settings(false, Duration.ofSeconds(5), Instant::now, stop);
                claim(FileDocuments.registry(directory, "default", settings), 0, 1);
            }
            default -> throw new IllegalArgumentException(arguments[0]);
        }
    }

    static DocumentRegistry registry(Path directory) {
        return FileDocuments.registry(directory, "default", false);
    }

    /** Returns a registry that waits a minute for the lock: many processes compete for it. */
    private static DocumentRegistry patient(Path directory) {
        return FileDocuments.registry(directory, "default", FileDocuments.Settings.of(false, Duration.ofMinutes(1)));
    }

    private static SnowflakeIdGenerator generator(DocumentRegistry registry, Duration ttl) {
        return SnowflakeIdGenerator.builder()
                .layout(LAYOUT)
                .lease(LeaseTerms.of(registry)
                        .withDatacenterId(DATACENTER_ID)
                        .withTtl(ttl)
                        .withAcquireTimeout(Duration.ofMinutes(1))
                        .withListener(lease -> System.out.println(lease)))
                .build();
    }

    /** Writes each batch of IDs before it generates the next one, until the process is killed or stopped. */
    private static void makeIds(DocumentRegistry registry, Path file) throws IOException {
        SnowflakeIdGenerator generator = generator(registry, TTL);
        Runtime.getRuntime().addShutdownHook(new Thread(generator::close));
        System.out.println("open " + generator.workerId().workerId());
        try (DataOutputStream out = new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(file), 512))) {
            while (true) {
                for (long id : generator.nextIds(64)) {
                    out.writeLong(id);
                }
                out.flush();
                LockSupport.parkNanos(5_000_000);
            }
        } catch (GeneratorClosedException e) {
            System.out.println("stopped");
        }
    }

    private static void lease(DocumentRegistry registry, int count) throws IOException {
        List<SnowflakeIdGenerator> generators = new ArrayList<>();
        System.out.println("open");
        System.in.read();
        for (int i = 0; i < count; i++) {
            generators.add(generator(registry, Duration.ofSeconds(60)));
        }
        System.out.println("leased " + generators.size());
        System.in.read();
        Runtime.getRuntime().halt(0);
    }

    /** Acquires each worker ID once, from the first number on. */
    static void claim(DocumentRegistry registry, int first, int count) {
        for (int i = 0; i < count; i++) {
            Claim claim = Claim.of(
                    DATACENTER_ID, first + i, "owner " + (first + i), "", Instant.EPOCH, Instant.EPOCH, "layout");
            if (!registry.acquire(null, claim, Duration.ofMinutes(1))) {
                throw new IllegalStateException("not acquired: " + (first + i));
            }
        }
    }
}
