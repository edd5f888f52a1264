package io.github.snowflakeid.file;

import io.github.snowflakeid.internal.store.LeaseStore;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.boot.context.properties.bind.BindableRuntimeHintsRegistrar;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.ImportRuntimeHints;

/**
 * Configures leases in a directory of this machine, where {@code snowflake.worker.strategy} is {@code file}. Never
 * used unasked: each machine needs a datacenter id of its own.
 */
@Configuration(proxyBeanMethods = false)
@ImportRuntimeHints(SnowflakeFileAutoConfiguration.Hints.class)
public final class SnowflakeFileAutoConfiguration {

    SnowflakeFileAutoConfiguration() {}

    @Bean("snowflake.fileLeaseStore")
    LeaseStore snowflakeFileStore() {
        return new FileLeaseStore();
    }

    /** What a native image would lack. */
    static final class Hints implements RuntimeHintsRegistrar {

        @Override
        public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
            BindableRuntimeHintsRegistrar.forTypes(FileProperties.class).registerHints(hints);
        }
    }
}
