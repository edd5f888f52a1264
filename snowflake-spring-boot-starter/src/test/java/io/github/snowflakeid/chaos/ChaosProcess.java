package io.github.snowflakeid.chaos;

import io.github.snowflakeid.IdLayout;
import io.github.snowflakeid.LeaseTerms;
import io.github.snowflakeid.SnowflakeException;
import io.github.snowflakeid.SnowflakeIdGenerator;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * A process that generates IDs and writes each of them to a file until it is killed. Arguments: address of the store,
 * ttl in milliseconds, clock offset in milliseconds, file for the IDs. Each line of its input changes the clock offset
 * to another number of milliseconds.
 */
final class ChaosProcess {

    static final IdLayout LAYOUT =
            IdLayout.builder().datacenterBits(0).workerBits(6).sequenceBits(8).build();

    private static final int THREADS = 2;

    private ChaosProcess() {}

    public static void main(String[] arguments) throws IOException {
        AtomicLong off = new AtomicLong(Long.parseLong(arguments[2]));
        InstantSource clock = () -> Instant.now().plusMillis(off.get());
        LeaseTerms terms = LeaseTerms.of(Store.open(arguments[0]))
                .withTtl(Duration.ofMillis(Long.parseLong(arguments[1])))
                .withAcquireTimeout(Duration.ofMinutes(1))
                .withListener(lease -> System.out.println("lease " + lease));
        SnowflakeIdGenerator generator = SnowflakeIdGenerator.builder()
                .layout(LAYOUT)
                .lease(terms)
                .clock(clock)
                .maxWait(Duration.ofMillis(20))
                .build();
        Runtime.getRuntime().addShutdownHook(new Thread(generator::close));
        System.out.println("open");
        for (int thread = 0; thread < THREADS; thread++) {
            Path file = Path.of(arguments[3] + "-" + thread);
            new Thread(() -> writeIds(generator, file)).start();
        }
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            off.set(Long.parseLong(line));
        }
        System.exit(0);
    }

    /** A write ends before the next IDs are generated, and written data outlives a killed process. */
    private static void writeIds(SnowflakeIdGenerator generator, Path file) {
        ByteBuffer buffer = ByteBuffer.allocateDirect(Long.BYTES * 64);
        try (FileChannel out = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            while (true) {
                buffer.clear();
                try {
                    if (ThreadLocalRandom.current().nextInt(4) == 0) {
                        buffer.asLongBuffer().put(generator.nextIds(64));
                        buffer.position(buffer.capacity());
                    } else {
                        while (buffer.hasRemaining()) {
                            buffer.putLong(generator.nextId());
                        }
                    }
                } catch (SnowflakeException e) {
                    System.out.println("refused " + e);
                    LockSupport.parkNanos(20_000_000);
                }
                buffer.flip();
                while (buffer.hasRemaining()) {
                    out.write(buffer);
                }
                LockSupport.parkNanos(6_000_000);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
