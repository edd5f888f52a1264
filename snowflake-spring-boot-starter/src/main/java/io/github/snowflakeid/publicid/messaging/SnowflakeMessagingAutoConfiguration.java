package io.github.snowflakeid.publicid.messaging;

import io.github.snowflakeid.internal.text.IdTextConverter;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.core.convert.converter.ConverterRegistry;
import org.springframework.messaging.simp.annotation.support.SimpAnnotationMethodMessageHandler;

/**
 * Auto-configuration of IDs in destinations and headers of messages that methods with {@code @MessageMapping} receive by WebSocket.
 *
 * @since 0.1.0
 */
@AutoConfiguration
@ConditionalOnClass(SimpAnnotationMethodMessageHandler.class)
public final class SnowflakeMessagingAutoConfiguration {

    SnowflakeMessagingAutoConfiguration() {}

    @Bean("snowflake.messageIds")
    static BeanPostProcessor snowflakeMessageIds(ObjectProvider<IdTextConverter> converter) {
        return new BeanPostProcessor() {

            @Override
            public Object postProcessAfterInitialization(Object bean, String name) {
                if (bean instanceof SimpAnnotationMethodMessageHandler handler
                        && handler.getConversionService() instanceof ConverterRegistry registry) {
                    registry.addConverter(converter.getObject());
                }
                return bean;
            }
        };
    }
}
