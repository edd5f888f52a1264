package io.github.snowflakeid.publicid.web;

import io.github.snowflakeid.internal.beans.BeanChange;
import io.github.snowflakeid.internal.json.JsonIds;
import io.github.snowflakeid.internal.json.JsonProperties;
import io.github.snowflakeid.internal.properties.PropertyGroup;
import io.github.snowflakeid.internal.text.IdTextCodecs;
import io.github.snowflakeid.internal.text.IdTextConverter;
import io.github.snowflakeid.text.PublicIds;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.codec.ServerCodecConfigurer;
import org.springframework.http.converter.HttpMessageConverter;
import org.springframework.web.reactive.function.client.WebClient;

/**
 * Auto-configuration that rejects bodies with IDs which kotlinx.serialization would write or read, in servers and
 * clients. Classes without IDs are left to it.
 *
 * @since 1.0
 */
@AutoConfiguration
@ConditionalOnClass(value = HttpMessageConverter.class, name = "kotlinx.serialization.Serializable")
@PropertyGroup(JsonProperties.class)
public final class SnowflakeSerializationAutoConfiguration {

    SnowflakeSerializationAutoConfiguration() {}

    @Bean("snowflake.serializableIds")
    SerializableIds snowflakeSerializableIds(JsonProperties properties, ObjectProvider<PublicIds> publicIds) {
        return new SerializableIds(
                new JsonIds(properties, publicIds), new IdTextConverter(new IdTextCodecs(publicIds::getIfAvailable)));
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(WebClient.class)
    static final class Codecs {

        @Bean("snowflake.serializableCodecs")
        static BeanPostProcessor snowflakeSerializableCodecs(ObjectProvider<SerializableIds> ids) {
            return new BeanChange((bean, name) -> {
                if (bean instanceof ServerCodecConfigurer codecs) {
                    SerializableCodecs.register(codecs, ids.getObject());
                } else if (bean instanceof WebClient.Builder client) {
                    client.codecs(codecs -> SerializableCodecs.register(codecs, ids.getObject()));
                }
                return bean;
            });
        }
    }
}
