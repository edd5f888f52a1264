package io.github.snowflakeid.file;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Leases in a directory, as {@code application.yml} describes them.
 *
 * @param directory Directory that leases are kept in, on a disk of this machine, as an absolute path; created unless it exists.
 * @param verifyFileSystem Whether to reject a directory that may be deleted, or seen by other machines, by the type of its file
 *     system.
 */
@ConfigurationProperties("snowflake.worker.file")
record FileProperties(
        @Nullable String directory, @DefaultValue("true") boolean verifyFileSystem) {}
