package io.github.snowflakeid.file;

import io.github.snowflakeid.autoconfigure.SnowflakeAutoConfiguration;
import io.github.snowflakeid.internal.properties.PropertyGroup;
import io.github.snowflakeid.internal.store.ConditionalOnStore;
import io.github.snowflakeid.internal.store.LeaseStore;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.context.annotation.Bean;

/**
 * Configures leases in a directory of this machine if {@code snowflake.worker.strategy} is {@code file}. It is never
 * chosen by default, because each machine needs a different datacenter ID.
 *
 * @since 0.1.0
 */
@AutoConfiguration(before = SnowflakeAutoConfiguration.class)
@ConditionalOnStore("file")
@PropertyGroup(FileProperties.class)
public final class SnowflakeFileAutoConfiguration {

    SnowflakeFileAutoConfiguration() {}

    @Bean("snowflake.fileLeaseStore")
    LeaseStore snowflakeFileStore() {
        return new FileLeaseStore();
    }
}
