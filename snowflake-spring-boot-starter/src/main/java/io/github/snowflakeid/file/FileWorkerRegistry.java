package io.github.snowflakeid.file;

import io.github.snowflakeid.WorkerIdUnavailableException;
import io.github.snowflakeid.internal.store.Namespaces;
import io.github.snowflakeid.worker.WorkerRegistry;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Stores leases in a file, for the processes of one machine. Each namespace has one file, in a directory that the
 * processes share. Other machines do not see the file, so <b>each machine needs a different datacenter ID</b>, which is
 * set with {@link io.github.snowflakeid.worker.LeaseTerms#withDatacenterId(int)}. Two machines with the same datacenter
 * ID generate equal IDs.
 *
 * <p>Each write acquires an exclusive lock, replaces the whole file, and returns once the file is on the disk. If a
 * process is killed or the machine loses power, the file has either its old or its new contents. Leases are lost only
 * if the file itself is lost. A file that was deleted, truncated or written by another program is an error. It is never
 * treated as an empty file.
 *
 * <p>Leases expire by the machine's clock. If the clock is set back, leases of killed processes expire later by that
 * step. If it is set forward, another process may acquire a worker ID early. In both cases, IDs stay unique.
 *
 * <p>A write fails if another process holds the lock for 5 s. There is no limit for a disk that does not respond.
 *
 * <p>The directory must be on a disk of this machine. Network file systems, in-memory file systems and container layers
 * are rejected. These and all other failures that do not disappear by themselves are reported as a
 * {@link WorkerIdUnavailableException}. A failure that may disappear, such as a full disk, is reported as another
 * {@link io.github.snowflakeid.SnowflakeException}.
 *
 * <p>All processes must run as the same user. The files are in the subdirectory {@code snowflake}, which only this user
 * can access, because any user who can read a file can lock it. A subdirectory that belongs to another user and a
 * symbolic link in its place are rejected. On Windows, the files inherit their permissions from the directory.
 *
 * <p>Safe for use by any number of threads, and by several class loaders of one process.
 *
 * @since 0.1.0
 */
public final class FileWorkerRegistry implements WorkerRegistry {

    private final Path directory;
    private final String namespace;
    private final InstantSource clock;
    private final LeaseFile file;

    /**
     * Creates a registry. Does not access the directory yet.
     *
     * @param directory the directory whose subdirectory {@code snowflake} contains the file, as an absolute path: with
     *     a relative path, another working directory would mean other leases. Both directories are created on first use
     *     if they do not exist
     * @param namespace the name under which processes share worker IDs, from 1 to 100 characters: all processes that
     *     write to the same tables must use the same name
     * @throws IllegalArgumentException if the path is not absolute or the namespace is invalid
     */
    public FileWorkerRegistry(Path directory, String namespace) {
        this(directory, namespace, InstantSource.system(), LeaseFile.Setup.DEFAULT);
    }

    FileWorkerRegistry(Path directory, String namespace, InstantSource clock, LeaseFile.Setup setup) {
        this.directory = Objects.requireNonNull(directory, "directory");
        this.namespace = Namespaces.checked(namespace);
        this.clock = clock;
        if (!directory.isAbsolute()) {
            throw new IllegalArgumentException("directory must be an absolute path, but was '%s'".formatted(directory));
        }
        file = new LeaseFile(directory, namespace, setup);
    }

    /**
     * Returns a copy of this registry that accepts any file system. Use it for a directory that survives restarts and
     * that only one machine can access, but that is rejected nevertheless, for example on an overlay that is the
     * machine's root file system.
     *
     * @return a registry that uses the same directory
     */
    public FileWorkerRegistry withoutFileSystemCheck() {
        return new FileWorkerRegistry(directory, namespace, clock, LeaseFile.Setup.UNCHECKED);
    }

    @Override
    public String namespace() {
        return namespace;
    }

    @Override
    public String kind() {
        return "file";
    }

    @Override
    public Snapshot read() {
        return new Snapshot(now(), file.read());
    }

    @Override
    public boolean acquire(@Nullable Entry seen, Claim claim, Duration ttl) {
        return replace(
                now -> Entry.matches(seen, now.entryOf(claim)),
                entry(claim, claim.owner(), claim.reservedUntil(), ttl));
    }

    @Override
    public boolean renew(Claim held, Instant reservedUntil, Duration ttl) {
        return replace(now -> now.contains(held), entry(held, held.owner(), reservedUntil, ttl));
    }

    @Override
    public boolean release(Claim held, Instant reservedUntil) {
        return replace(now -> now.contains(held), entry(held, null, reservedUntil, Duration.ZERO));
    }

    private Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.MILLIS);
    }

    private Entry entry(Claim claim, @Nullable String owner, Instant reservedUntil, Duration ttl) {
        return new Entry(
                claim.datacenterId(),
                claim.workerId(),
                owner,
                claim.ownerInfo(),
                reservedUntil,
                now().plus(ttl),
                claim.layout());
    }

    /** Replaces the entry of a worker ID, if the entries meet a condition. */
    private boolean replace(Predicate<Snapshot> condition, Entry next) {
        return file.change(entries -> {
            Snapshot seen = new Snapshot(Instant.EPOCH, entries);
            if (!condition.test(seen)) {
                return null;
            }
            List<Entry> changed = new ArrayList<>(entries);
            changed.remove(seen.entryOf(next.datacenterId(), next.workerId()));
            changed.add(next);
            return changed;
        });
    }
}
