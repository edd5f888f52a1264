package io.github.snowflakeid.file;

import io.github.snowflakeid.internal.failure.Problem;
import io.github.snowflakeid.internal.store.LeaseSettings;
import io.github.snowflakeid.internal.store.LeaseStore;
import io.github.snowflakeid.worker.WorkerRegistry;
import java.nio.file.Path;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;
import org.springframework.util.StringUtils;

/** Leases in a directory of this machine. */
final class FileLeaseStore implements LeaseStore {

    private static final String DIRECTORY = "{snowflake}.worker.file.directory";

    @Override
    public Class<?> leaseProperties() {
        return FileProperties.class;
    }

    @Override
    public String name() {
        return "file";
    }

    @Override
    public WorkerRegistry registry(LeaseSettings settings) {
        FileProperties properties = settings.store().properties(FileProperties.class);
        requireDatacenter(settings);
        try {
            return new FileWorkerRegistry(
                    directory(properties.directory()),
                    settings.namespace(),
                    InstantSource.system(),
                    new LeaseFile.Setup(properties.verifyFileSystem(), settings.longestAnswer(), step -> {}));
        } catch (IllegalArgumentException e) {
            throw Problem.invalid(e, """
                    %s: /var/lib/snowflake
                    {snowflake}.worker.lease.namespace: default""".formatted(DIRECTORY));
        }
    }

    private static Path directory(@Nullable String directory) {
        if (!StringUtils.hasText(directory)) {
            throw Problem.MISSING_STORE.exception(
                    "Property '{snowflake}.worker.strategy' is 'file', but '%s' is not set".formatted(DIRECTORY),
                    FileExceptionTranslator.ELSEWHERE);
        }
        return Path.of(directory);
    }

    /** Two machines with one datacenter ID would generate equal IDs. */
    private static void requireDatacenter(LeaseSettings settings) {
        if (settings.datacenterId().isEmpty()) {
            int max = settings.layout().maxDatacenterId();
            String advice = max == 0 ? """
                    IDs of this layout have no datacenter ID that distinguishes machines. If one machine generates all IDs, say so:

                    {snowflake}.datacenter.id: 0

                    Otherwise, do without such leases. %s""".formatted(settings.howToSetWorkerId()) : """
                    Give each machine another datacenter ID from 0 to %d, through an environment variable, and its processes one \
                    directory on its disk:

                    {snowflake}.datacenter.id: ${DATACENTER_ID}
                    %s: /var/lib/snowflake""".formatted(max, DIRECTORY);
            throw Problem.MISSING_STORE.exception(
                    "Property '{snowflake}.worker.strategy' is 'file', whose leases are for one machine, but '{snowflake}.datacenter.id' is not set",
                    advice);
        }
    }
}
