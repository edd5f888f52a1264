package io.github.snowflakeid.publicid;

import io.github.snowflakeid.text.PublicIds;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.bind.BindableRuntimeHintsRegistrar;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.core.env.Environment;

/**
 * Auto-configuration of {@link PublicIds} from {@code snowflake.public-ids.keys}, if there are any. It gives way to a bean of the
 * application, and needs no generator.
 */
@AutoConfiguration
@ImportRuntimeHints(SnowflakePublicIdAutoConfiguration.Hints.class)
@Conditional(OnPublicIdKeys.class)
public final class SnowflakePublicIdAutoConfiguration {

    SnowflakePublicIdAutoConfiguration() {}

    @Bean("snowflake.publicIds")
    @ConditionalOnMissingBean
    PublicIds snowflakePublicIds(Environment environment) {
        return ConfiguredPublicIds.of(environment);
    }

    /** What a native image would lack. */
    static final class Hints implements RuntimeHintsRegistrar {

        @Override
        public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
            BindableRuntimeHintsRegistrar.forTypes(PublicIdProperties.class).registerHints(hints);
        }
    }
}
