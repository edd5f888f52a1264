package io.github.snowflakeid.file;

import io.github.snowflakeid.WorkerIdUnavailableException;
import io.github.snowflakeid.store.Namespaces;
import io.github.snowflakeid.store.StoreException;
import io.github.snowflakeid.worker.WorkerRegistry;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Keeps leases in a file, for the processes of one machine: one file for each namespace, in a directory that they share. No
 * other machine sees it, so <b>each machine needs a datacenter id of its own</b>, given to {@link
 * io.github.snowflakeid.worker.LeaseTerms#datacenterId(int)}. Two machines with one datacenter id make equal ids.
 *
 * <p>Each write takes an exclusive lock, replaces the file as a whole, and returns once the disk has it. A process that is killed
 * or a machine that loses power leaves the file as it was before the write, or as it is after it. Nothing but the loss of the
 * file itself makes leases forgotten. A file that was deleted, cut off or written by somebody else is an error, and never
 * taken for an empty one.
 *
 * <p>Leases expire by the clock of the machine. Where it is set back, those of killed processes expire later by as much. Where it
 * is set forward, a lease may be taken over early. In both cases two ids are never equal.
 *
 * <p>A write that cannot have the lock for 5 s is given up. Nothing limits how long a disk may hang.
 *
 * <p>The directory must be on a disk of this machine. File systems of networks, memory and containers' own layers are refused, as
 * is what cannot be used before somebody mends it: a {@link WorkerIdUnavailableException} with a {@link StoreException} as its
 * cause. What may be different a little later, as a full disk, is a {@link StoreException}.
 *
 * <p>All processes must run as one user. The files are in the subdirectory {@code snowflake}, to which only this user has access, since
 * a user who can read a file can lock it. A subdirectory of another user or a symbolic link in its place is refused. On Windows, the
 * files inherit their access from the directory.
 *
 * <p>Safe for use by any number of threads. Also safe for use by several class loaders of one process.
 */
public final class FileWorkerRegistry implements WorkerRegistry {

    private final Path directory;
    private final String namespace;
    private final InstantSource clock;
    private final LeaseFile file;

    /**
     * Makes a registry; does not touch the directory yet.
     *
     * @param directory whose subdirectory {@code snowflake} has the file, as an absolute path, since a relative one would lead to
     *     other leases from another working directory; both are created at the first use, unless they are there
     * @param namespace the name under which processes share worker ids: all that write the same tables must share it; from 1
     *     to 100 characters
     * @throws IllegalArgumentException if the path is not absolute, or the namespace is none
     */
    public FileWorkerRegistry(Path directory, String namespace) {
        this(directory, namespace, InstantSource.system(), LeaseFile.Setup.USUAL);
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
     * The same registry, but on any file system. For a directory that outlives the processes, is seen by one machine only, and is
     * nevertheless refused, as one on an overlay that is the machine's own root.
     *
     * @return another registry, in the same directory
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
        return replace(claim, seen, expiring(claim, ttl));
    }

    @Override
    public boolean renew(Claim held, Instant reservedUntil, Duration ttl) {
        return replace(held, expiring(held, ttl), expiring(held.until(reservedUntil), ttl));
    }

    @Override
    public boolean release(Claim held, Instant reservedUntil) {
        Entry free = new Entry(
                held.datacenterId(), held.workerId(), null, held.ownerInfo(), reservedUntil, now(), held.layout());
        return replace(held, expiring(held, Duration.ZERO), free);
    }

    private Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.MILLIS);
    }

    private Entry expiring(Claim claim, Duration ttl) {
        return new Entry(
                claim.datacenterId(),
                claim.workerId(),
                claim.owner(),
                claim.ownerInfo(),
                claim.reservedUntil(),
                now().plus(ttl),
                claim.layout());
    }

    /** Replaces the entry of a worker id, if it is in what counts as is expected. */
    private boolean replace(Claim claim, @Nullable Entry expected, Entry next) {
        return file.change(entries -> {
            @Nullable Entry is = new Snapshot(Instant.EPOCH, entries).entryOf(claim);
            if (!Entry.isSame(expected, is)) {
                return null;
            }
            List<Entry> changed = new ArrayList<>(entries);
            changed.remove(is);
            changed.add(next);
            return changed;
        });
    }
}
