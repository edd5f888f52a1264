package io.github.snowflakeid.file;

import io.github.snowflakeid.worker.WorkerRegistry.Entry;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The file of a namespace: read at any time, replaced as a whole by one thread of the machine at a time.
 *
 * <p><b>What a crash leaves.</b> A change is written to a temporary file, which the disk has ({@code O_SYNC}) before it gets the name of the
 * file in one atomic step. So this name always leads to all of the old text, or to all of the new one. A change is done, and a read returns,
 * only after the disk has the directory as well: so no process relies on a change that a loss of power could undo.
 *
 * <p>There is one temporary file at most, since it is written under the lock. The next change deletes what a crash left.
 *
 * <p>Once the disk has the first leases, a text is written into the file that is locked; after a crash in between, the next change writes it.
 * If this text exists but the leases do not, they were lost.
 */
final class LeaseFile {

    private static final int LONGEST_NAME = 60;
    private static final String PLAIN_CHARACTERS = "abcdefghijklmnopqrstuvwxyz0123456789-_";

    private final Path given;
    private final String namespace;
    private final String name;
    private final Setup setup;
    private final FileExceptionTranslator translator;
    private volatile @Nullable Path real;

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
     * @param checksFileSystem whether the directory must pass {@link FileSystemCheck}
     * @param longestWait for the lock of other processes
     * @param hook what happens in between
     */
    record Setup(boolean checksFileSystem, Duration longestWait, Hook hook) {

        static final Setup USUAL = new Setup(true, Duration.ofSeconds(5), step -> {});
        static final Setup UNCHECKED = new Setup(false, USUAL.longestWait, step -> {});
    }

    LeaseFile(Path directory, String namespace, Setup setup) {
        given = directory.toAbsolutePath().normalize();
        this.namespace = namespace;
        this.setup = setup;
        name = nameOf(namespace);
        translator = new FileExceptionTranslator(given.resolve(PrivateDirectory.NAME), name);
    }

    /** Returns different names for different namespaces, also for file systems that ignore case. */
    static String nameOf(String namespace) {
        String plain = namespace
                .chars()
                .limit(LONGEST_NAME)
                .map(character -> PLAIN_CHARACTERS.indexOf(character) < 0 ? '_' : character)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
        return "snowflake-" + (plain.equals(namespace) ? plain : plain + "." + hash(namespace));
    }

    private static String hash(String namespace) {
        try {
            MessageDigest hash = MessageDigest.getInstance("SHA-256");
            return HexFormat.of().formatHex(hash.digest(namespace.getBytes(StandardCharsets.UTF_16BE)), 0, Long.BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("each Java has SHA-256", e);
        }
    }

    /** Returns the entries that the disk has. */
    List<Entry> read() {
        Path directory = directory();
        try {
            List<Entry> entries = entries(directory);
            if (entries == null) {
                // Only under the lock it is certain whether there were any.
                change(unchanged -> null);
                return List.of();
            }
            sync(directory);
            return entries;
        } catch (IOException e) {
            throw translator.translate("read", e);
        }
    }

    /**
     * Replaces the entries. The lock is free again while the disk takes the new name: the process that replaces them next builds on this
     * change, and waits for a disk that has both.
     *
     * @param change returns the new entries, or null if nothing is to be changed
     * @return whether they were replaced
     */
    boolean change(Function<List<Entry>, @Nullable List<Entry>> change) {
        Path directory = directory();
        Path locked = directory.resolve(name + ".lock");
        boolean moved = false;
        try {
            synchronized (ExclusiveLock.monitor(locked)) {
                try (ExclusiveLock lock = ExclusiveLock.acquire(locked, setup.longestWait)) {
                    if (lock == null) {
                        throw translator.busy(setup.longestWait);
                    }
                    setup.hook.at(Step.LOCKED);
                    List<Entry> before = entries(directory);
                    if (before == null && lock.isMarked()) {
                        throw translator.foreign("is missing, but existed before");
                    }
                    List<Entry> after = change.apply(before == null ? List.of() : before);
                    if (after == null) {
                        return false;
                    }
                    Path temporary = written(directory, LeaseText.of(namespace, after));
                    if (!lock.isStillThere()) {
                        throw translator.unlocked();
                    }
                    moved = true;
                    Files.move(temporary, leases(directory), StandardCopyOption.ATOMIC_MOVE);
                    if (!lock.isMarked()) {
                        sync(directory);
                        lock.mark("Locked while " + name + ".leases is replaced. Keep both while processes run.\n");
                    }
                }
            }
            setup.hook.at(Step.MOVED);
            sync(directory);
            setup.hook.at(Step.DONE);
            return true;
        } catch (IOException e) {
            throw moved ? translator.unknown(e) : translator.translate("written", e);
        }
    }

    private Path leases(Path directory) {
        return directory.resolve(name + ".leases");
    }

    private @Nullable List<Entry> entries(Path directory) throws IOException {
        try {
            return LeaseText.parse(Files.readString(leases(directory)), namespace);
        } catch (NoSuchFileException e) {
            return null;
        } catch (CharacterCodingException e) {
            throw translator.foreign("is not text");
        } catch (IllegalArgumentException e) {
            throw translator.foreign(e.getMessage());
        }
    }

    /** Writes a text to the temporary file, and returns that. */
    private Path written(Path directory, String text) throws IOException {
        Path file = directory.resolve(name + ".tmp");
        Files.deleteIfExists(file);
        Files.createFile(file, PrivateDirectory.FILE_ATTRIBUTES);
        try {
            Files.writeString(file, text, StandardOpenOption.WRITE, StandardOpenOption.SYNC);
            setup.hook.at(Step.WRITTEN);
        } catch (IOException e) {
            // On a full disk, it would take the rest of the space.
            Files.deleteIfExists(file);
            throw e;
        }
        return file;
    }

    /** Returns the directory. It is created once at most, so that no empty one takes the place of one that has vanished. */
    private Path directory() {
        Path known = real;
        if (known != null) {
            return known;
        }
        try {
            if (!Files.isDirectory(given)) {
                Files.createDirectories(given);
            }
            Path parent = given.toRealPath();
            if (setup.checksFileSystem) {
                FileSystemCheck.check(given, parent);
            }
            Path directory = parent.resolve(PrivateDirectory.NAME);
            PrivateDirectory.create(directory);
            sync(parent);
            PrivateDirectory.check(directory, translator);
            real = directory;
            return directory;
        } catch (IOException e) {
            throw translator.creating(e);
        }
    }

    /** Lets the disk have the names in a directory. Windows opens no directories, and keeps a log of names. */
    private static void sync(Path directory) throws IOException {
        if (PrivateDirectory.POSIX) {
            try (FileChannel opened = FileChannel.open(directory, StandardOpenOption.READ)) {
                opened.force(true);
            }
        }
    }
}
