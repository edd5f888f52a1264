package io.github.snowflakeid.file;

import io.github.snowflakeid.store.LeaseStore;
import io.github.snowflakeid.store.StoreException;
import io.github.snowflakeid.store.StoreSettings;
import io.github.snowflakeid.worker.BoundedRegistry;
import io.github.snowflakeid.worker.WorkerRegistry;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Leases in a directory of this machine. */
final class FileLeaseStore implements LeaseStore {

    private static final String DIRECTORY = "snowflake.worker.file.directory";
    private static final String DATACENTER = "snowflake.datacenter.id";

    @Override
    public WorkerRegistry open(StoreSettings settings) {
        FileProperties properties = settings.properties("file", new FileProperties());
        String directory = properties.getDirectory();
        boolean isSet = directory != null && !directory.isBlank();
        if (directory == null || !isSet || settings.datacenterId().isEmpty()) {
            throw incomplete(isSet, settings);
        }
        // A disk that hangs must not hold up more than one call.
        return new BoundedRegistry(
                registry(path(directory), properties.isCheckFileSystem(), settings), settings.longestAnswer());
    }

    private static WorkerRegistry registry(Path directory, boolean checkFileSystem, StoreSettings settings) {
        try {
            LeaseFile.Setup setup = checkFileSystem ? LeaseFile.Setup.USUAL : LeaseFile.Setup.UNCHECKED;
            Duration forTheLock = settings.longestAnswer().multipliedBy(5).dividedBy(8);
            return new FileWorkerRegistry(
                    directory, settings.namespace(), InstantSource.system(), setup.waiting(forTheLock));
        } catch (IllegalArgumentException invalid) {
            throw StoreException.invalid(invalid, "snowflake.worker.lease.namespace: default");
        }
    }

    /** From another working directory, a relative path leads to other leases, and so to equal ids. */
    private static Path path(String directory) {
        @Nullable InvalidPathException invalid = null;
        try {
            Path path = Path.of(directory);
            if (path.isAbsolute()) {
                return path;
            }
        } catch (InvalidPathException noPath) {
            invalid = noPath;
        }
        throw new StoreException(
                "Property '%s' must be an absolute path, the same for all processes, but was '%s'"
                        .formatted(DIRECTORY, directory),
                FileTrouble.ELSEWHERE,
                invalid);
    }

    private static StoreException incomplete(boolean hasDirectory, StoreSettings settings) {
        List<String> missing = new ArrayList<>();
        StringBuilder lines = new StringBuilder();
        if (!hasDirectory) {
            missing.add("'" + DIRECTORY + "'");
            lines.append("\n").append(DIRECTORY).append(": /var/lib/snowflake");
        }
        int machines = settings.layout().maxDatacenterId();
        if (settings.datacenterId().isEmpty()) {
            missing.add("'" + DATACENTER + "'");
            lines.append("\n").append(DATACENTER).append(machines == 0 ? ": 0" : ": ${DATACENTER_ID}");
        }
        String message = "Property 'snowflake.worker.strategy' is 'file', but %s %s not set"
                .formatted(String.join(" and ", missing), missing.size() == 1 ? "is" : "are");
        if (settings.datacenterId().isPresent()) {
            return new StoreException(
                    message,
                    "Set a directory on a disk of this machine, the same for all its processes:\n" + lines,
                    null);
        }
        return new StoreException(
                message,
                machines == 0
                        ? forOneMachine(lines, settings)
                        : """
                        Leases in a directory are of one machine. Give each machine a datacenter id of its own from 0 to %d, \
                        through an environment variable%s:
                        %s""".formatted(
                                machines, hasDirectory ? "" : ", and its processes one directory on its disk", lines),
                null);
    }

    private static String forOneMachine(StringBuilder lines, StoreSettings settings) {
        return """
                Leases in a directory are of one machine, and ids of this layout have no datacenter id to tell machines apart. \
                If one machine makes all ids, say so:
                %s

                If there are others, do without such leases. %s""".formatted(lines, settings.howToSetWorkerId());
    }
}
