package io.github.snowflakeid.file;

import io.github.snowflakeid.internal.StarterDocuments;
import io.github.snowflakeid.internal.store.Namespaces;
import io.github.snowflakeid.worker.DocumentRegistry;
import io.github.snowflakeid.worker.DocumentStore;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.time.Clock;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The documents of leases in a directory, for the processes of one machine: a file for each worker ID that was ever
 * leased. Other machines do not see the files, so <b>each machine needs a different datacenter ID</b>, which is set
 * with {@link io.github.snowflakeid.LeaseTerms#withDatacenterId(int)}. Two machines with the same datacenter ID
 * generate equal IDs.
 *
 * <p><b>Crash safety.</b> The version of a document is its text. A write acquires an exclusive lock for the namespace,
 * compares the text, and writes the new text to a temporary file with {@code O_SYNC}. After that file is on the disk,
 * it is renamed in one atomic step. If a process is killed or the machine loses power, the file has either its old or
 * its new text. A write and a read return only after the directory is on the disk, too, so no process relies on a
 * change that a loss of power could undo.
 *
 * <p>The lock file has a line for each lease, so their number never decreases. If there are fewer, leases were lost.
 * That is an error, and so is a file with another text than a lease.
 *
 * <p>Leases expire by the machine's clock. If the clock is set back, leases of killed processes expire later by that
 * step. If it is set forward, another process may acquire a worker ID early. In both cases, IDs stay unique.
 *
 * <p>A call fails if another process holds the lock for 5 s. There is no limit for a disk that does not respond.
 *
 * <p>The directory must be on a disk of this machine. Network file systems, in-memory file systems and container layers
 * are rejected. These and all other failures that do not disappear by themselves are reported as a
 * {@link io.github.snowflakeid.WorkerIdUnavailableException}. A failure that may disappear, such as a full disk, is
 * reported as another {@link io.github.snowflakeid.SnowflakeException}.
 *
 * <p>All processes must run as the same user. The files are in the subdirectory {@code snowflake}, which only this user
 * can access, because any user who can read a file can lock it, and thereby stop all IDs. The directory itself may be a
 * mount that all users can write to. On Windows, the files inherit their permissions from the directory.
 *
 * <p>Safe for use by any number of threads, and by several class loaders of one process.
 *
 * @since 1.0
 */
public final class FileDocuments implements DocumentStore, StarterDocuments {

    private static final boolean POSIX =
            FileSystems.getDefault().supportedFileAttributeViews().contains("posix");

    /** Namespaces that are file names, also on file systems that ignore case. */
    private static final Pattern PLAIN = Pattern.compile("[a-z0-9_-]{1,60}");

    /** The key of a lease. A copy such as {@code 0-7.bak} has another one. */
    private static final Pattern LEASE = Pattern.compile("(.*/)?\\d+-\\d+");

    private final Path given;
    private final String name;
    private final Settings settings;
    private final FileExceptionTranslator translator;
    private volatile @Nullable Path real;

    /** The points at which a process or a machine may stop. */
    enum Step {
        LOCKED,
        WRITTEN,
        MOVED
    }

    /** A hook for tests that is called at each step. */
    interface Hook {
        void at(Step step) throws IOException;
    }

    /**
     * The settings for access to files.
     *
     * @param verifiesFileSystem whether the directory must pass {@link FileSystemCheck}
     * @param longestWait how long to wait for a lock that another process holds
     * @param clock the clock of the machine
     * @param hook the hook for tests
     */
    record Settings(boolean verifiesFileSystem, Duration longestWait, InstantSource clock, Hook hook) {

        static Settings of(boolean verifiesFileSystem, Duration longestWait) {
            return new Settings(verifiesFileSystem, longestWait, Clock.tickMillis(ZoneOffset.UTC), step -> {});
        }
    }

    /** An access to the directory under the lock. */
    @FunctionalInterface
    private interface Access<T> {
        T run(Path directory, ExclusiveLock lock) throws IOException;
    }

    private FileDocuments(Path directory, String namespace, Settings settings) {
        if (!directory.isAbsolute()) {
            throw new IllegalArgumentException("directory must be an absolute path, but was '%s'".formatted(directory));
        }
        given = directory.normalize();
        name = "snowflake-" + (PLAIN.matcher(namespace).matches() ? namespace : hash(namespace));
        this.settings = settings;
        translator = new FileExceptionTranslator(given.resolve("snowflake"), name);
    }

    private static UUID hash(String namespace) {
        return UUID.nameUUIDFromBytes(namespace.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Returns a registry. It does not access the directory yet.
     *
     * @param directory the directory whose subdirectory {@code snowflake} contains the files, as an absolute path: with
     *     a relative path, another working directory would mean other leases. Both directories are created on first use
     *     if they do not exist
     * @param namespace the name under which processes share worker IDs, from 1 to 100 characters: all processes that
     *     write to the same tables must use the same name
     * @return the registry
     * @throws IllegalArgumentException if the path is not absolute or the namespace is invalid
     */
    public static DocumentRegistry registry(Path directory, String namespace) {
        return registry(directory, namespace, true);
    }

    /**
     * Returns a registry that accepts any file system. Use it for a directory that survives restarts and that only one
     * machine can access, but that is rejected nevertheless, for example on an overlay that is the machine's root file
     * system.
     *
     * @param directory the directory whose subdirectory {@code snowflake} contains the files, as an absolute path
     * @param namespace the name under which processes share worker IDs, from 1 to 100 characters
     * @param verifyFileSystem whether to reject a file system whose type indicates that other machines can access it or
     *     that it may be deleted
     * @return the registry
     * @throws IllegalArgumentException if the path is not absolute or the namespace is invalid
     */
    public static DocumentRegistry registry(Path directory, String namespace, boolean verifyFileSystem) {
        return registry(directory, namespace, Settings.of(verifyFileSystem, Duration.ofSeconds(5)));
    }

    static DocumentRegistry registry(Path directory, String namespace, Settings settings) {
        return new DocumentRegistry(
                new FileDocuments(directory, Namespaces.checked(namespace), settings), "", namespace);
    }

    @Override
    public Documents find(String prefix) {
        return locked("read", (directory, lock) -> {
            List<String> keys = keys(prefix, directory, lock);
            Documents found = documents(directory, keys);
            // A process may have been killed before it could raise the number.
            lock.raise(leases(keys));
            return found;
        });
    }

    /** Lists leases and foreign files. Only under the lock is it certain how many leases there were before. */
    private List<String> keys(String prefix, Path directory, ExclusiveLock lock) throws IOException {
        List<String> keys = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, name + ".[0-9]*")) {
            for (Path file : files) {
                keys.add(prefix + file.getFileName().toString().substring(name.length() + 1));
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        if (leases(keys) < lock.number()) {
            throw translator.missing(leases(keys), lock.number());
        }
        return keys;
    }

    private static int leases(List<String> keys) {
        return (int) keys.stream().filter(key -> LEASE.matcher(key).matches()).count();
    }

    @Override
    public Documents get(String key) {
        try {
            return documents(directory(), List.of(key));
        } catch (IOException e) {
            throw translator.translate("read", e);
        }
    }

    /** Returns the documents that are on the disk. */
    private Documents documents(Path directory, List<String> keys) throws IOException {
        List<Document> documents = new ArrayList<>();
        for (String key : keys) {
            String text = text(file(directory, key));
            if (text != null) {
                documents.add(new Document(key, text, text));
            }
        }
        sync(directory);
        return new Documents(settings.clock.instant(), documents);
    }

    private Path file(Path directory, String key) {
        return directory.resolve(name + "." + key.substring(key.lastIndexOf('/') + 1));
    }

    private static @Nullable String text(Path file) throws IOException {
        try {
            return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
        } catch (NoSuchFileException e) {
            return null;
        }
    }

    @Override
    public boolean put(String key, @Nullable String version, String text) {
        return locked("written", (directory, lock) -> {
            Path file = file(directory, key);
            if (!Objects.equals(version, text(file))) {
                return false;
            }
            int leases = version == null ? leases(keys("", directory, lock)) + 1 : 0;
            Path temporary = directory.resolve(name + ".tmp");
            Files.writeString(
                    temporary,
                    text,
                    StandardOpenOption.CREATE,
                    StandardOpenOption.WRITE,
                    StandardOpenOption.TRUNCATE_EXISTING,
                    StandardOpenOption.SYNC);
            settings.hook.at(Step.WRITTEN);
            if (!lock.isStillThere()) {
                throw new FileSystemException(lock.file().toString(), null, "it was deleted while it was locked");
            }
            Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
            try {
                settings.hook.at(Step.MOVED);
                sync(directory);
                lock.raise(leases);
            } catch (IOException e) {
                throw translator.unknown(e);
            }
            return true;
        });
    }

    private <T> T locked(String done, Access<T> access) {
        try {
            Path directory = directory();
            Path file = directory.resolve(name + ".lock");
            synchronized (ExclusiveLock.monitor(file)) {
                try (FileChannel channel =
                        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
                    ExclusiveLock lock = ExclusiveLock.acquire(file, channel, settings.longestWait);
                    if (lock == null) {
                        throw translator.busy(settings.longestWait);
                    }
                    settings.hook.at(Step.LOCKED);
                    return access.run(directory, lock);
                }
            }
        } catch (IOException e) {
            throw translator.translate(done, e);
        }
    }

    /**
     * Returns the directory. Creates it at most once, so that an empty directory never replaces one that has
     * disappeared. Sets its permissions, because each time Kubernetes mounts a volume, it gives the pod's group
     * (fsGroup) access to all files of the volume.
     */
    private Path directory() throws IOException {
        Path known = real;
        if (known == null) {
            // Some JDKs reject a link to a directory.
            if (!Files.isDirectory(given)) {
                Files.createDirectories(given);
            }
            Path parent = given.toRealPath();
            if (settings.verifiesFileSystem) {
                FileSystemCheck.check(given, parent);
            }
            known = parent.resolve(translator.directory().getFileName());
            Files.createDirectories(known);
            if (!Files.isDirectory(known, LinkOption.NOFOLLOW_LINKS)) {
                throw new FileAlreadyExistsException(known.toString());
            }
            if (POSIX) {
                requireOwn(known);
                Files.setPosixFilePermissions(known, PosixFilePermissions.fromString("rwx------"));
            }
            sync(parent);
            real = known;
        }
        return known;
    }

    private static void requireOwn(Path directory) throws IOException {
        UserPrincipal owner = Files.getOwner(directory);
        boolean isOwn;
        try {
            // Root has access, but the owner might not have access to root's files.
            Path created = Files.createTempFile(directory, "snowflake-", null);
            isOwn = Files.getOwner(created).equals(owner);
            Files.delete(created);
        } catch (AccessDeniedException e) {
            // The mode or a security policy may deny access to the owner, too.
            if (owner.getName().equals(FileExceptionTranslator.user())) {
                throw e;
            }
            isOwn = false;
        }
        if (!isOwn) {
            throw new AccessDeniedException(directory.toString(), null, "it belongs to user '" + owner.getName() + "'");
        }
    }

    /**
     * Syncs the names in a directory to the disk. Windows cannot open directories; NTFS keeps a journal of names
     * instead.
     */
    private static void sync(Path directory) throws IOException {
        if (POSIX) {
            try (FileChannel opened = FileChannel.open(directory, StandardOpenOption.READ)) {
                opened.force(true);
            }
        }
    }

    @Override
    public String kind() {
        return "file";
    }

    @Override
    public RuntimeException foreign(String key) {
        return translator.foreign(file(translator.directory(), key));
    }
}
