package io.github.snowflakeid.file;

import io.github.snowflakeid.internal.failure.ConfigurationException;
import io.github.snowflakeid.internal.failure.Problem;
import io.github.snowflakeid.internal.store.LeaseStore;
import io.github.snowflakeid.internal.store.StoreSettings;
import io.github.snowflakeid.worker.WorkerRegistry;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Leases in a directory of this machine. */
final class FileLeaseStore implements LeaseStore {

    private static final String DIRECTORY = "{snowflake}.worker.file.directory";
    private static final String DATACENTER = "{snowflake}.datacenter.id";

    @Override
    public Class<?> properties() {
        return FileProperties.class;
    }

    @Override
    public String name() {
        return "file";
    }

    @Override
    public WorkerRegistry open(StoreSettings settings) {
        FileProperties properties = settings.properties("file", new FileProperties());
        Path directory = directory(properties.getDirectory(), settings);
        try {
            return new FileWorkerRegistry(
                    directory,
                    settings.namespace(),
                    InstantSource.system(),
                    new LeaseFile.Setup(properties.isVerifyFileSystem(), settings.longestAnswer(), step -> {}));
        } catch (IllegalArgumentException e) {
            throw Problem.invalid(e, "{snowflake}.worker.lease.namespace: default");
        }
    }

    /** From another working directory, a relative path would lead to other leases, and so to equal IDs. */
    private static Path directory(@Nullable String directory, StoreSettings settings) {
        if (directory == null || directory.isBlank() || settings.datacenterId().isEmpty()) {
            throw incomplete(directory == null || directory.isBlank(), settings);
        }
        try {
            Path path = Path.of(directory);
            if (path.isAbsolute()) {
                return path;
            }
        } catch (InvalidPathException e) {
            // Reported below.
        }
        throw Problem.INVALID_PROPERTY.exception(
                "Property '%s' must be an absolute path, the same for all processes, but was '%s'"
                        .formatted(DIRECTORY, directory),
                FileExceptionTranslator.ELSEWHERE,
                null);
    }

    private static ConfigurationException incomplete(boolean withoutDirectory, StoreSettings settings) {
        Map<String, String> missing = new LinkedHashMap<>();
        String advice = "Set a directory on a disk of this machine, the same for all its processes:";
        String otherwise = "";
        if (withoutDirectory) {
            missing.put(DIRECTORY, "/var/lib/snowflake");
        }
        if (settings.datacenterId().isEmpty()) {
            int max = settings.layout().maxDatacenterId();
            missing.put(DATACENTER, max == 0 ? "0" : "${DATACENTER_ID}");
            advice = max == 0
                    ? "Leases in a directory are for one machine, and IDs of this layout have no datacenter ID to tell machines"
                            + " apart. If one machine generates all IDs, say so:"
                    : "Leases in a directory are for one machine. Give each machine another datacenter ID from 0 to "
                            + max + ", through an environment variable, and its processes one directory on its disk:";
            otherwise = max == 0 ? "\n\nOtherwise, do without such leases. " + settings.howToSetWorkerId() : "";
        }
        String lines = missing.entrySet().stream()
                .map(each -> each.getKey() + ": " + each.getValue())
                .collect(Collectors.joining("\n"));
        return Problem.INVALID_PROPERTY.exception(
                "Property '{snowflake}.worker.strategy' is 'file', but '%s' %s not set"
                        .formatted(String.join("' and '", missing.keySet()), missing.size() == 1 ? "is" : "are"),
                advice + "\n\n" + lines + otherwise,
                null);
    }
}
