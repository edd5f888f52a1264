package io.github.snowflakeid.file;

import io.github.snowflakeid.worker.WorkerRegistry.Entry;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The file of a namespace: read at any time, changed as a whole by one at a time, whoever runs on this machine.
 *
 * <p><b>What a crash leaves.</b> A change is written to a temporary file, which the disk has ({@code fsync}) before it gets the
 * name of the file in one atomic step. So this name always leads to all of the old text, or to all of the new one. That the name
 * leads to the new one outlives a loss of power once the disk has the directory, too, and only then a change is done. Readers
 * see it earlier. They rely on what they read only where it is a change of their own whose end they do not know. So then they see
 * to it that the disk has it. Whatever others have changed, the next change takes to the disk with it.
 *
 * <p>There is one temporary file at most, since it is written under the lock. The next change deletes what a crash left.
 *
 * <p>The first change writes a text into the file that is locked, once the disk has the leases; after a crash in between, the next
 * one does. A namespace with this text, but without leases, has lost them.
 */
final class LeaseFile {

    private static final int LONGEST_NAME = 60;

    private final Path given;
    private final String namespace;
    private final String name;
    private final Setup setup;
    private final FileTrouble trouble;
    private volatile @Nullable Path real;

    /** Changes of ours that may be seen, but not be on the disk: under way, or failed. */
    private final AtomicInteger unconfirmed = new AtomicInteger();

    /** The points at which a process or a machine may stop. */
    enum Step {
        LOCKED,
        WRITTEN,
        MOVED,
        DONE
    }

    /** What happens at a step, in tests. */
    interface Hook {
        void at(Step step) throws IOException;
    }

    /**
     * How files are used.
     *
     * @param check what a directory must pass
     * @param longestWait for the lock
     * @param hook what happens in between
     */
    record Setup(FileSystemCheck check, Duration longestWait, Hook hook) {

        static final Setup USUAL = new Setup(FileSystemCheck.USUAL, Duration.ofSeconds(5), step -> {});
        static final Setup UNCHECKED = new Setup(FileSystemCheck.NONE, USUAL.longestWait, step -> {});

        Setup waiting(Duration longest) {
            return new Setup(check, longest, hook);
        }
    }

    LeaseFile(Path directory, String namespace, Setup setup) {
        given = directory.toAbsolutePath().normalize();
        this.namespace = namespace;
        this.setup = setup;
        name = nameOf(namespace);
        trouble = new FileTrouble(given.resolve(PrivateDirectory.NAME), name);
    }

    /** Namespaces that differ have names that differ, also where upper and lower case are the same in names of files. */
    static String nameOf(String namespace) {
        StringBuilder simple = new StringBuilder("snowflake-");
        boolean isSimple = namespace.length() <= LONGEST_NAME;
        for (int i = 0; i < Math.min(namespace.length(), LONGEST_NAME); i++) {
            char character = namespace.charAt(i);
            boolean fits = (character >= 'a' && character <= 'z')
                    || (character >= '0' && character <= '9')
                    || character == '-'
                    || character == '_';
            simple.append(fits ? character : '_');
            isSimple &= fits;
        }
        return isSimple ? simple.toString() : simple + "." + hash(namespace);
    }

    private static String hash(String namespace) {
        try {
            MessageDigest hash = MessageDigest.getInstance("SHA-256");
            return HexFormat.of().formatHex(hash.digest(namespace.getBytes(StandardCharsets.UTF_16BE)), 0, Long.BYTES);
        } catch (NoSuchAlgorithmException never) {
            throw new AssertionError("each Java has SHA-256", never);
        }
    }

    /** What is there now. Changes of this object stay, once they were read. */
    List<Entry> read() {
        try {
            Path directory = directory();
            List<Entry> entries = entries(directory);
            if (unconfirmed.get() > 0) {
                try (FileChannel opened = opened(directory)) {
                    sync(opened);
                }
            }
            if (entries == null) {
                // Only under the lock it is sure whether there was one.
                change(unchanged -> null);
            }
            return entries == null ? List.of() : entries;
        } catch (IOException failed) {
            throw trouble.reading(failed);
        }
    }

    /**
     * Changes the file. The lock is free again while the disk takes the new name: whoever changes it next builds on this
     * change, and waits for a disk that has both.
     *
     * @param change what makes the new entries of the old ones, or null if nothing is to be changed
     * @return whether it was changed
     */
    boolean change(Function<List<Entry>, @Nullable List<Entry>> change) {
        boolean moved = false;
        try {
            Path directory = directory();
            try (FileChannel opened = opened(directory)) {
                moved = replace(directory, change, opened);
                if (moved) {
                    setup.hook.at(Step.MOVED);
                    sync(opened);
                    unconfirmed.decrementAndGet();
                    setup.hook.at(Step.DONE);
                }
                return moved;
            }
        } catch (IOException failed) {
            throw moved ? trouble.unknown(failed) : trouble.writing(failed);
        } catch (ExclusiveLock.Busy busy) {
            throw trouble.busy(busy.byThisProcess, setup.longestWait);
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            throw trouble.interrupted(stop);
        }
    }

    private boolean replace(
            Path directory, Function<List<Entry>, @Nullable List<Entry>> change, @Nullable FileChannel opened)
            throws IOException, ExclusiveLock.Busy, InterruptedException {
        try (ExclusiveLock lock = ExclusiveLock.acquire(path(directory, ".lock"), setup.longestWait)) {
            setup.hook.at(Step.LOCKED);
            List<Entry> before = entries(directory);
            if (before == null && lock.isMarked()) {
                throw trouble.lost().unusable();
            }
            List<Entry> after = change.apply(before == null ? List.of() : before);
            if (after == null) {
                return false;
            }
            if (before != null) {
                mark(lock, opened);
            }
            Path temporary = path(directory, ".tmp");
            try {
                write(temporary, LeaseText.of(namespace, after));
                setup.hook.at(Step.WRITTEN);
            } catch (IOException failed) {
                // On a full disk, it would take what is left.
                Files.deleteIfExists(temporary);
                throw failed;
            }
            if (!lock.isStillThere()) {
                throw trouble.unlocked();
            }
            unconfirmed.incrementAndGet();
            Files.move(temporary, path(directory, ".leases"), StandardCopyOption.ATOMIC_MOVE);
            if (before == null) {
                mark(lock, opened);
            }
            return true;
        }
    }

    /** From now on leases that are not there are lost ones. */
    private void mark(ExclusiveLock lock, @Nullable FileChannel directory) throws IOException {
        if (!lock.isMarked()) {
            sync(directory);
            lock.mark("Locked while " + name + ".leases is replaced. Keep both while processes run.\n");
        }
    }

    private @Nullable List<Entry> entries(Path directory) throws IOException {
        try {
            return LeaseText.parse(Files.readAllBytes(path(directory, ".leases")), namespace);
        } catch (NoSuchFileException none) {
            return null;
        } catch (LeaseText.Unreadable foreign) {
            throw trouble.foreign(foreign).unusable();
        }
    }

    private static void write(Path file, byte[] text) throws IOException {
        Files.deleteIfExists(file);
        Set<OpenOption> options =
                Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
        try (FileChannel channel = FileChannel.open(file, options, PrivateDirectory.attributes("rw-------"))) {
            ByteBuffer buffer = ByteBuffer.wrap(text);
            while (buffer.hasRemaining()) {
                channel.write(buffer);
            }
            channel.force(true);
        }
    }

    private Path path(Path directory, String ending) {
        return directory.resolve(name + ending);
    }

    /** The directory: created once at most, so that one that has vanished is not replaced by an empty one. */
    private Path directory() {
        Path known = real;
        if (known == null) {
            known = created();
            real = known;
        }
        return known;
    }

    private Path created() {
        Path directory;
        try {
            create(given);
            Path parent = given.toRealPath();
            setup.check.accept(given, parent);
            directory = parent.resolve(PrivateDirectory.NAME);
            if (PrivateDirectory.create(directory)) {
                syncNamesIn(parent);
            }
        } catch (IOException failed) {
            throw trouble.creating(failed);
        }
        try {
            PrivateDirectory.check(directory, trouble);
        } catch (IOException failed) {
            throw trouble.writing(failed);
        }
        return directory;
    }

    private static void create(Path directory) throws IOException {
        Path parent = directory.getParent();
        if (Files.isDirectory(directory) || parent == null) {
            return;
        }
        create(parent);
        Files.createDirectories(directory);
        syncNamesIn(parent);
    }

    private static void syncNamesIn(Path directory) throws IOException {
        try (FileChannel opened = opened(directory)) {
            sync(opened);
        }
    }

    /** Null where the system opens no directories: Windows keeps a log of names. */
    private static @Nullable FileChannel opened(Path directory) throws IOException {
        return PrivateDirectory.POSIX ? FileChannel.open(directory, StandardOpenOption.READ) : null;
    }

    private static void sync(@Nullable FileChannel directory) throws IOException {
        if (directory != null) {
            directory.force(true);
        }
    }
}
