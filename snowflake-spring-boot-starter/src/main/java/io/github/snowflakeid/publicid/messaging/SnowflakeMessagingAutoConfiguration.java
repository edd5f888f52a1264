package io.github.snowflakeid.publicid.messaging;

import io.github.snowflakeid.internal.beans.BeanChange;
import io.github.snowflakeid.internal.text.IdTextConverter;
import java.util.Map;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.core.MethodParameter;
import org.springframework.core.convert.ConversionService;
import org.springframework.core.convert.converter.ConverterRegistry;
import org.springframework.messaging.handler.HandlerMethod;
import org.springframework.messaging.handler.annotation.DestinationVariable;
import org.springframework.messaging.handler.annotation.Header;
import org.springframework.messaging.handler.annotation.reactive.MessageMappingMessageHandler;
import org.springframework.messaging.simp.annotation.support.SimpAnnotationMethodMessageHandler;

/**
 * Auto-configuration of IDs in destinations and headers of messages that methods with {@code @MessageMapping} receive
 * by WebSocket or RSocket.
 *
 * @since 1.0
 */
@AutoConfiguration
@ConditionalOnClass(SimpAnnotationMethodMessageHandler.class)
public final class SnowflakeMessagingAutoConfiguration {

    SnowflakeMessagingAutoConfiguration() {}

    @Bean("snowflake.messageIds")
    static BeanPostProcessor snowflakeMessageIds(ObjectProvider<IdTextConverter> converter) {
        return new BeanChange((bean, name) -> {
            if (bean instanceof SimpAnnotationMethodMessageHandler handler) {
                complete(handler.getConversionService(), handler.getHandlerMethods(), converter.getObject());
            } else if (bean instanceof MessageMappingMessageHandler handler) {
                complete(handler.getConversionService(), handler.getHandlerMethods(), converter.getObject());
            }
            return bean;
        });
    }

    private static void complete(ConversionService service, Map<?, HandlerMethod> handlers, IdTextConverter converter) {
        if (service instanceof ConverterRegistry registry) {
            registry.addConverter(converter);
        }
        for (HandlerMethod handler : handlers.values()) {
            for (MethodParameter parameter : handler.getMethodParameters()) {
                if (!parameter.hasParameterAnnotation(DestinationVariable.class)
                        && !parameter.hasParameterAnnotation(Header.class)) {
                    converter.reject(
                            parameter::getParameterAnnotation,
                            handler.toString(),
                            "is on the payload of a message, so it would not change the payload");
                }
            }
        }
    }
}
