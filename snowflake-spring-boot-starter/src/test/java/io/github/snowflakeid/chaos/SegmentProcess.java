package io.github.snowflakeid.chaos;

import io.github.snowflakeid.GeneratorClosedException;
import io.github.snowflakeid.SnowflakeException;
import io.github.snowflakeid.segment.NumbersUnavailableException;
import io.github.snowflakeid.segment.SegmentIdGenerator;
import io.github.snowflakeid.segment.SegmentListener;
import io.github.snowflakeid.segment.SegmentStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * A process that fetches numbers and writes each of them to a file until it is killed. Arguments: addresses of the
 * stores, file for the numbers.
 */
final class SegmentProcess {

    static final String NAME = "orders";

    private static final int THREADS = 8;
    private static final int BATCH = 32;
    private static final long PAUSE_NANOS = 20_000_000;

    private SegmentProcess() {}

    public static void main(String[] arguments) throws IOException {
        List<SegmentStore> stores = Stream.of(arguments)
                .limit(arguments.length - 1)
                .map(Store::openCounters)
                .toList();
        SegmentIdGenerator generator = open(stores);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            generator.close();
            System.out.println("closed " + generator.statistics());
        }));
        System.out.println("ready");
        for (int thread = 0; thread < THREADS; thread++) {
            Path file = Path.of(arguments[arguments.length - 1] + "-" + thread);
            new Thread(() -> writeNumbers(generator, file)).start();
        }
        // The parent process has ended.
        System.in.read();
        System.exit(0);
    }

    /** The server may be down, or the machine too busy. */
    private static SegmentIdGenerator open(List<SegmentStore> stores) {
        while (true) {
            try {
                return SegmentIdGenerator.builder()
                        .name(NAME)
                        .stores(stores)
                        .maxStep(10_000)
                        .targetDuration(Duration.ofSeconds(1))
                        // The machine may be busy.
                        .maxWait(Duration.ofSeconds(5))
                        .listener(new Telling())
                        .build();
            } catch (NumbersUnavailableException e) {
                System.out.println("not yet: " + e);
            }
        }
    }

    private static final class Telling implements SegmentListener {

        @Override
        public void storeExcluded(String store, RuntimeException reason) {
            System.out.println("left out " + store + ": " + reason);
        }

        @Override
        public void storeRecovered(String store, Duration away) {
            System.out.println("taken back " + store + " after " + away);
        }
    }

    /** A write ends before the next numbers are fetched, and written data outlives a killed process. */
    private static void writeNumbers(SegmentIdGenerator generator, Path file) {
        ByteBuffer buffer = ByteBuffer.allocateDirect(Long.BYTES * BATCH);
        try (FileChannel out = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            for (boolean closed = false; !closed; ) {
                buffer.clear();
                try {
                    take(generator, buffer);
                } catch (GeneratorClosedException e) {
                    closed = true;
                } catch (SnowflakeException e) {
                    System.out.println("refused " + e);
                }
                buffer.flip();
                while (buffer.hasRemaining()) {
                    out.write(buffer);
                }
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void take(SegmentIdGenerator generator, ByteBuffer buffer) {
        if (ThreadLocalRandom.current().nextInt(4) == 0) {
            buffer.asLongBuffer().put(generator.nextIds(BATCH));
            buffer.position(buffer.capacity());
        } else {
            while (buffer.hasRemaining()) {
                buffer.putLong(generator.nextId());
            }
        }
    }
}
