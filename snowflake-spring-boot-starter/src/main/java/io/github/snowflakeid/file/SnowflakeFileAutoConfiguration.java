package io.github.snowflakeid.file;

import io.github.snowflakeid.autoconfigure.SnowflakeAutoConfiguration;
import io.github.snowflakeid.file.FileDocuments.Settings;
import io.github.snowflakeid.internal.failure.Problem;
import io.github.snowflakeid.internal.properties.PropertyGroup;
import io.github.snowflakeid.internal.store.ConditionalOnStore;
import io.github.snowflakeid.internal.store.LeaseSettings;
import io.github.snowflakeid.internal.store.WorkerRegistryFactory;
import io.github.snowflakeid.worker.DocumentRegistry;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.util.StringUtils;

/**
 * Configures leases in a directory of this machine if {@code snowflake.worker.strategy} is {@code file}. It is never
 * chosen by default, because each machine needs a different datacenter ID.
 *
 * @since 1.0
 */
@AutoConfiguration(before = SnowflakeAutoConfiguration.class)
@ConditionalOnStore("file")
@PropertyGroup(FileProperties.class)
public final class SnowflakeFileAutoConfiguration {

    private static final String DIRECTORY = "{snowflake}.worker.file.directory";

    SnowflakeFileAutoConfiguration() {}

    @Bean("snowflake.store.file")
    WorkerRegistryFactory snowflakeFileStore() {
        return SnowflakeFileAutoConfiguration::registry;
    }

    private static DocumentRegistry registry(LeaseSettings settings) {
        FileProperties properties = settings.store().properties(FileProperties.class);
        requireDatacenter(settings);
        try {
            return FileDocuments.registry(
                    directory(properties.directory()),
                    settings.namespace(),
                    Settings.of(properties.verifyFileSystem(), settings.longestAnswer()));
        } catch (IllegalArgumentException e) {
            throw Problem.invalid(e, DIRECTORY, "/var/lib/snowflake");
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

    /** Requires a datacenter ID: two machines with the same datacenter ID would generate equal IDs. */
    private static void requireDatacenter(LeaseSettings settings) {
        if (settings.datacenterId().isEmpty()) {
            int max = settings.layout().maxDatacenterId();
            String advice = max == 0 ? """
                    IDs of this layout have no datacenter ID that distinguishes machines. If a single machine generates all IDs, confirm it:

                    {snowflake}.datacenter.id: 0

                    Otherwise, use fixed worker IDs. %s""".formatted(settings.howToSetWorkerId()) : """
                    Give each machine a different datacenter ID from 0 to %s, through an environment variable, and all its processes \
                    the same directory on its disk:

                    {snowflake}.datacenter.id: ${DATACENTER_ID}
                    %s: /var/lib/snowflake""".formatted(max, DIRECTORY);
            throw Problem.MISSING_STORE.exception(
                    "Property '{snowflake}.worker.strategy' is 'file', which requires a different datacenter ID on each machine, but '{snowflake}.datacenter.id' is not set",
                    advice);
        }
    }
}
