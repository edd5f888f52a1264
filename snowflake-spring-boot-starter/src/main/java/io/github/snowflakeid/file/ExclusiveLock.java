package io.github.snowflakeid.file;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * An exclusive lock on a file, against other threads, class loaders and processes. The system frees it when a process
 * is killed. Held by one thread, from {@link #acquire} to {@link #close()}.
 *
 * <p>The lock of the system is the process's, and on POSIX the process loses it when it closes the file anywhere. So the
 * file is opened by one thread at a time, over all class loaders. What these have in common are strings that are interned,
 * and system properties.
 *
 * <p>A lock on a file that was deleted keeps nobody out. So the file is compared with what its name leads to: after it was
 * locked, and again by {@link #isStillThere()}. While it is open, no other file has its key.
 */
final class ExclusiveLock implements Closeable {

    private static final int LONGEST_PAUSE_NANOS = 4_000_000;

    private final Path file;
    private final String inProcess;
    private @Nullable FileChannel channel;
    private @Nullable Object key;

    private ExclusiveLock(Path file) {
        this.file = file;
        inProcess = ("io.github.snowflakeid.file.lock:" + file).intern();
    }

    /** Somebody else had the lock for the whole time. */
    static final class Busy extends Exception {

        private static final long serialVersionUID = 1L;

        /** Whether that is this process. */
        final boolean byThisProcess;

        Busy(boolean byThisProcess) {
            this.byThisProcess = byThisProcess;
        }
    }

    /**
     * Waits for the lock.
     *
     * @param file what to lock, as a real path; created unless it is there
     */
    static ExclusiveLock acquire(Path file, Duration longest) throws IOException, Busy, InterruptedException {
        ExclusiveLock lock = new ExclusiveLock(file);
        long deadline = System.nanoTime() + longest.toNanos();
        lock.enter(deadline);
        boolean locked = false;
        try {
            lock.lockAgainstProcesses(deadline);
            locked = true;
            return lock;
        } finally {
            if (!locked) {
                lock.close();
            }
        }
    }

    private void enter(long deadline) throws Busy, InterruptedException {
        synchronized (inProcess) {
            String thread = Thread.currentThread().toString();
            while (System.getProperties().putIfAbsent(inProcess, thread) != null) {
                long left = deadline - System.nanoTime();
                if (left <= 0) {
                    throw new Busy(true);
                }
                TimeUnit.NANOSECONDS.timedWait(inProcess, left);
            }
        }
    }

    private void lockAgainstProcesses(long deadline) throws IOException, Busy {
        while (true) {
            try {
                key = keyOfFile();
                FileChannel opened = FileChannel.open(
                        file, StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
                channel = opened;
                lock(opened, deadline);
                if (isStillThere()) {
                    return;
                }
                opened.close();
            } catch (NoSuchFileException none) {
                create(none);
            }
        }
    }

    private void create(NoSuchFileException none) throws IOException {
        if (!Files.isDirectory(file.resolveSibling("."))) {
            throw none;
        }
        try {
            Files.createFile(file, PrivateDirectory.attributes("rw-------"));
        } catch (FileAlreadyExistsException bySomebodyElse) {
            // Just as well.
        }
    }

    private static void lock(FileChannel channel, long deadline) throws IOException, Busy {
        int pause = LONGEST_PAUSE_NANOS / 64;
        while (!isLocked(channel)) {
            if (System.nanoTime() - deadline >= 0) {
                throw new Busy(false);
            }
            pause = Math.min(2 * pause, LONGEST_PAUSE_NANOS);
            LockSupport.parkNanos(ThreadLocalRandom.current().nextInt(pause) + 1);
        }
    }

    private static boolean isLocked(FileChannel channel) throws IOException {
        try {
            return channel.tryLock() != null;
        } catch (OverlappingFileLockException byOthersOfThisProcess) {
            return false;
        }
    }

    private @Nullable Object keyOfFile() throws IOException {
        return Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                .fileKey();
    }

    /** Whether the lock still keeps others out. */
    boolean isStillThere() throws IOException {
        try {
            return Objects.equals(key, keyOfFile());
        } catch (NoSuchFileException deleted) {
            return false;
        }
    }

    /** Whether something was {@linkplain #mark written} into the file. */
    boolean isMarked() throws IOException {
        return Objects.requireNonNull(channel).size() > 0;
    }

    /** Writes something into the file, for whoever opens it. */
    void mark(String text) throws IOException {
        FileChannel marked = Objects.requireNonNull(channel);
        marked.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)), 0);
        marked.force(true);
    }

    @Override
    public void close() throws IOException {
        try {
            FileChannel open = channel;
            if (open != null) {
                open.close();
            }
        } finally {
            synchronized (inProcess) {
                System.clearProperty(inProcess);
                inProcess.notifyAll();
            }
        }
    }
}
