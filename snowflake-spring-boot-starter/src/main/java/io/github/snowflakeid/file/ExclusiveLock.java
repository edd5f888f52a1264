package io.github.snowflakeid.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * An exclusive lock on a file, against other processes. It is released when its channel is closed; if the process is
 * killed, the operating system releases it.
 *
 * <p>The lock belongs to the process, not to a thread, and on POSIX a process loses it when it closes any channel of
 * the file. Therefore each thread must hold {@link #monitor} from before it opens the channel until after it has closed
 * the channel. The monitor is an interned string, which all class loaders of a process share: two web applications of
 * one server may lease in the same directory.
 *
 * <p>If the file is deleted, another process can create and lock a new file with the same name. The holder therefore
 * checks {@link #isStillThere()} before it replaces anything. While the file is open, no other file has the same file
 * key.
 *
 * @param file the file
 * @param key the file key; null if the file system has none
 * @param channel the channel of the file
 */
record ExclusiveLock(Path file, @Nullable Object key, FileChannel channel) {

    private static final int LONGEST_PAUSE_NANOS = 4_000_000;

    /** The content for the number 1. Other numbers repeat it. */
    private static final String LINE = "Do not delete this file or the leases of this namespace while processes run.\n";

    /**
     * Returns the monitor that threads of this process must hold while they use the lock.
     *
     * @param file the file to lock, as a real path
     */
    static Object monitor(Path file) {
        return ("io.github.snowflakeid.file.lock:" + file).intern();
    }

    /**
     * Waits for the lock.
     *
     * @param file the file to lock
     * @param channel a channel of the file
     * @return the lock; null if another process held it for the whole time
     */
    static @Nullable ExclusiveLock acquire(Path file, FileChannel channel, Duration longestWait) throws IOException {
        // After the wait, the name could already belong to a new file.
        Object key = key(file);
        long begin = System.nanoTime();
        while (channel.tryLock() == null) {
            if (Thread.currentThread().isInterrupted()) {
                throw new ClosedByInterruptException();
            }
            if (System.nanoTime() - begin >= longestWait.toNanos()) {
                return null;
            }
            LockSupport.parkNanos(ThreadLocalRandom.current().nextInt(LONGEST_PAUSE_NANOS));
        }
        return new ExclusiveLock(file, key, channel);
    }

    private static @Nullable Object key(Path file) throws IOException {
        return Files.getAttribute(file, "fileKey");
    }

    /** Returns whether the lock still excludes other processes. */
    boolean isStillThere() throws IOException {
        return Files.exists(file) && Objects.equals(key, key(file));
    }

    /** Returns the number that was {@linkplain #raise written} last; 0 if there is none. */
    int number() throws IOException {
        return (int) (channel.size() / LINE.length());
    }

    /** Writes a number into the file, for processes that lock it later, unless it has a greater one. */
    void raise(int number) throws IOException {
        if (number > number()) {
            channel.write(ByteBuffer.wrap(LINE.repeat(number).getBytes(StandardCharsets.US_ASCII)), 0);
            channel.force(true);
        }
    }
}
