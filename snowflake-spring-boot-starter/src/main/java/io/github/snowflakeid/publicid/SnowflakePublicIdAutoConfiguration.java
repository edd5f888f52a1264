package io.github.snowflakeid.publicid;

import io.github.snowflakeid.internal.text.ConfiguredPublicIds;
import io.github.snowflakeid.internal.text.OnPublicIdKeys;
import io.github.snowflakeid.text.PublicIds;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.core.env.Environment;

/**
 * Auto-configuration of {@link PublicIds} from {@code snowflake.public-ids.keys}, if keys are configured. It backs off if the application
 * defines such a bean, and it needs no generator.
 *
 * @since 0.1.0
 */
@AutoConfiguration
@ImportRuntimeHints(ConfiguredPublicIds.Hints.class)
@Conditional(OnPublicIdKeys.class)
public final class SnowflakePublicIdAutoConfiguration {

    SnowflakePublicIdAutoConfiguration() {}

    @Bean("snowflake.publicIds")
    @ConditionalOnMissingBean
    PublicIds snowflakePublicIds(Environment environment) {
        return ConfiguredPublicIds.of(environment);
    }
}
