package io.github.snowflakeid.publicid.text;

import io.github.snowflakeid.internal.properties.PropertyCheck;
import io.github.snowflakeid.internal.properties.PropertyGroup;
import io.github.snowflakeid.internal.text.IdTextCodecs;
import io.github.snowflakeid.internal.text.IdTextConverter;
import io.github.snowflakeid.internal.text.PublicIdProperties;
import io.github.snowflakeid.text.PublicIds;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.annotation.RegisterReflection;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/**
 * Auto-configuration of {@link PublicIds} from {@code snowflake.public-ids.keys}, if keys are configured. It backs off
 * if the application defines such a bean, and it needs no generator. Without keys, it is passed over unless there is a
 * library that shows IDs to clients.
 *
 * @since 1.0
 */
@AutoConfiguration
@PropertyGroup(PublicIdProperties.class)
@Import({PropertyCheck.class, SnowflakePublicIdTextAutoConfiguration.class})
@RegisterReflection(
        classNames = {
            "org.springframework.http.converter.AbstractJacksonHttpMessageConverter",
            "org.springframework.http.codec.JacksonCodecSupport"
        },
        memberCategories = MemberCategory.INVOKE_PUBLIC_METHODS)
public final class SnowflakePublicIdAutoConfiguration {

    SnowflakePublicIdAutoConfiguration() {}

    /** Returns null if there is no key. A condition would look for keys when a native image is built, not when it runs. */
    @Bean("snowflake.publicIds")
    @ConditionalOnMissingBean
    @Nullable
    PublicIds snowflakePublicIds(PublicIdProperties properties) {
        return properties.keys().isEmpty() ? null : properties.publicIds();
    }

    /**
     * Spring Boot adds this bean to the conversion services of Spring MVC, WebFlux and, on Spring Boot 3.5, Spring for
     * GraphQL.
     */
    @Bean("snowflake.idConverter")
    IdTextConverter snowflakeIdConverter(ObjectProvider<PublicIds> publicIds) {
        return new IdTextConverter(new IdTextCodecs(publicIds::getIfAvailable));
    }
}
