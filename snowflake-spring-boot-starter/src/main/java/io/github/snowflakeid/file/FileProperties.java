package io.github.snowflakeid.file;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties of leases in a directory.
 *
 * @param directory Directory that stores the leases, on a disk of this machine, as an absolute path. Created if it does
 *     not exist.
 * @param verifyFileSystem Whether to reject file systems that other machines may access or that may be deleted.
 */
@ConfigurationProperties("snowflake.worker.file")
record FileProperties(
        @Nullable String directory, @DefaultValue("true") boolean verifyFileSystem) {}
