package io.github.snowflakeid.file;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * An exclusive lock on a file, against other processes. The operating system releases it when the process is killed.
 *
 * <p>The lock belongs to the process, not to a thread, and on POSIX a process loses it when it closes any channel of
 * the file. Therefore each thread must hold {@link #monitor} from before {@link #acquire} until after {@link #close()}.
 * The monitor is an interned string, which all class loaders of a process share: two web applications of one server may
 * lease in the same directory.
 *
 * <p>If the file is deleted, another process can create and lock a new file with the same name. The holder therefore
 * checks {@link #isStillThere()} before it replaces anything. While the file is open, no other file has the same file
 * key.
 */
final class ExclusiveLock implements Closeable {

    private static final int LONGEST_PAUSE_NANOS = 4_000_000;
    private static final Set<OpenOption> OPTIONS = Set.of(
            StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);

    private final Path file;
    private final @Nullable Object key;
    private final FileChannel channel;

    private ExclusiveLock(Path file, @Nullable Object key, FileChannel channel) {
        this.file = file;
        this.key = key;
        this.channel = channel;
    }

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
     * @param file the file to lock; created if it does not exist
     * @return the lock; null if another process held it for the whole time
     */
    static @Nullable ExclusiveLock acquire(Path file, Duration longestWait) throws IOException {
        FileChannel channel = FileChannel.open(file, OPTIONS, PrivateDirectory.FILE_ATTRIBUTES);
        ExclusiveLock lock = null;
        try {
            long deadline = System.nanoTime() + longestWait.toNanos();
            while (channel.tryLock() == null) {
                if (Thread.currentThread().isInterrupted()) {
                    throw new ClosedByInterruptException();
                }
                if (System.nanoTime() - deadline >= 0) {
                    return null;
                }
                LockSupport.parkNanos(ThreadLocalRandom.current().nextInt(LONGEST_PAUSE_NANOS));
            }
            lock = new ExclusiveLock(file, key(file), channel);
            return lock;
        } finally {
            if (lock == null) {
                channel.close();
            }
        }
    }

    private static @Nullable Object key(Path file) throws IOException {
        return Files.getAttribute(file, "fileKey", LinkOption.NOFOLLOW_LINKS);
    }

    /** Returns whether the lock still excludes other processes. */
    boolean isStillThere() throws IOException {
        return Files.exists(file, LinkOption.NOFOLLOW_LINKS) && Objects.equals(key, key(file));
    }

    /** Returns whether the file has a {@linkplain #mark mark}. */
    boolean isMarked() throws IOException {
        return channel.size() > 0;
    }

    /** Writes a text into the file, for processes that lock it later. */
    void mark(String text) throws IOException {
        channel.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)), 0);
        channel.force(true);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
