package io.github.snowflakeid.publicid.text;

import io.github.snowflakeid.internal.beans.BeanChange;
import io.github.snowflakeid.text.PublicIds;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.context.annotation.Bean;

/**
 * Lets {@link PublicIdText} use the {@link PublicIds} bean of {@link SnowflakePublicIdAutoConfiguration} or of the
 * application. Applies always, because an application may define the bean without any property.
 *
 * @since 1.0
 */
@AutoConfiguration
public final class SnowflakePublicIdTextAutoConfiguration {

    SnowflakePublicIdTextAutoConfiguration() {}

    @Bean("snowflake.publicIdText")
    static BeanPostProcessor snowflakePublicIdText() {
        return new BeanChange((bean, name) -> {
            if (bean instanceof PublicIds publicIds) {
                PublicIdText.configure(publicIds);
            }
            return bean;
        });
    }
}
