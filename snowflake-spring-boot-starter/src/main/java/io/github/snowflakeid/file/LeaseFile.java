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
 * The file of a namespace. It can be read at any time. On each machine, only one thread at a time replaces it, always
 * as a whole.
 *
 * <p><b>Crash safety.</b> A change is first written to a temporary file with {@code O_SYNC}. After that file is on the
 * disk, it is renamed to the name of the lease file in one atomic step. The lease file therefore always contains either
 * the complete old text or the complete new text. A change and a read return only after the directory is on the disk,
 * too, so no process relies on a change that a loss of power could undo.
 *
 * <p>The temporary file is written under the lock, so there is at most one. If a crash leaves one behind, the next
 * change deletes it.
 *
 * <p>After the first leases are on the disk, a text is written into the lock file. If a crash prevents that, the next
 * change writes it. If the lock file contains the text but the lease file is missing, leases were lost.
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

    /** A hook for tests that is called at each step. */
    interface Hook {
        void at(Step step) throws IOException;
    }

    /**
     * The settings for access to files.
     *
     * @param checksFileSystem whether the directory must pass {@link FileSystemCheck}
     * @param longestWait how long to wait for a lock that another process holds
     * @param hook the hook for tests
     */
    record Setup(boolean checksFileSystem, Duration longestWait, Hook hook) {

        static final Setup DEFAULT = new Setup(true, Duration.ofSeconds(5), step -> {});
        static final Setup UNCHECKED = new Setup(false, DEFAULT.longestWait, step -> {});
    }

    LeaseFile(Path directory, String namespace, Setup setup) {
        given = directory.toAbsolutePath().normalize();
        this.namespace = namespace;
        this.setup = setup;
        name = nameOf(namespace);
        translator = new FileExceptionTranslator(given.resolve(PrivateDirectory.NAME), name);
    }

    /**
     * Returns the file name of a namespace. Names differ for different namespaces, even on file systems that ignore
     * case.
     */
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
            throw new AssertionError("every JDK supports SHA-256", e);
        }
    }

    /** Returns the entries that are on the disk. */
    List<Entry> read() {
        Path directory = directory();
        try {
            List<Entry> entries = entries(directory);
            if (entries == null) {
                // Only under the lock is it certain whether leases existed before.
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
     * Replaces the entries. The lock is released before the renaming is synced to the disk. This is safe: the next
     * process that replaces the entries builds on this change, and its own sync covers both changes.
     *
     * @param change returns the new entries; null to change nothing
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
                        lock.mark("Locked while " + name
                                + ".leases is replaced. Do not delete the two files while processes run.\n");
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

    /** Writes a text to the temporary file and returns the file. */
    private Path written(Path directory, String text) throws IOException {
        Path file = directory.resolve(name + ".tmp");
        Files.deleteIfExists(file);
        Files.createFile(file, PrivateDirectory.FILE_ATTRIBUTES);
        try {
            Files.writeString(file, text, StandardOpenOption.WRITE, StandardOpenOption.SYNC);
            setup.hook.at(Step.WRITTEN);
        } catch (IOException e) {
            // The file would occupy space on a full disk.
            Files.deleteIfExists(file);
            throw e;
        }
        return file;
    }

    /**
     * Returns the directory. Creates it at most once, so that an empty directory never replaces one that has
     * disappeared.
     */
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

    /**
     * Syncs the names in a directory to the disk. Windows cannot open directories; NTFS keeps a journal of names
     * instead.
     */
    private static void sync(Path directory) throws IOException {
        if (PrivateDirectory.POSIX) {
            try (FileChannel opened = FileChannel.open(directory, StandardOpenOption.READ)) {
                opened.force(true);
            }
        }
    }
}
