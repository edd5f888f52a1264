package io.github.snowflakeid.file;

import io.github.snowflakeid.internal.store.LeaseStore;
import org.springframework.aot.hint.annotation.RegisterReflectionForBinding;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Configures leases in a directory of this machine if {@code snowflake.worker.strategy} is {@code file}. It is never chosen by default, because
 * each machine needs a different datacenter ID.
 *
 * @since 0.1.0
 */
@Configuration(proxyBeanMethods = false)
@RegisterReflectionForBinding(FileProperties.class)
public final class SnowflakeFileAutoConfiguration {

    SnowflakeFileAutoConfiguration() {}

    @Bean("snowflake.fileLeaseStore")
    LeaseStore snowflakeFileStore() {
        return new FileLeaseStore();
    }
}
