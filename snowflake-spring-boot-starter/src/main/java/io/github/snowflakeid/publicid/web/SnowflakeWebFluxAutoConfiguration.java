package io.github.snowflakeid.publicid.web;

import io.github.snowflakeid.internal.beans.BeanChange;
import io.github.snowflakeid.internal.json.JacksonModuleRegistrar;
import io.github.snowflakeid.publicid.PublicId;
import io.github.snowflakeid.text.PublicIds;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.http.codec.DecoderHttpMessageReader;
import org.springframework.http.codec.EncoderHttpMessageWriter;
import org.springframework.http.codec.HttpMessageReader;
import org.springframework.http.codec.HttpMessageWriter;
import org.springframework.http.codec.ServerCodecConfigurer;
import org.springframework.http.codec.ServerSentEventHttpMessageWriter;
import org.springframework.web.reactive.config.WebFluxConfigurer;
import org.springframework.web.reactive.result.method.annotation.RequestMappingHandlerAdapter;
import org.springframework.web.reactive.result.method.annotation.RequestMappingHandlerMapping;

/**
 * Auto-configuration of {@link PublicId} in WebFlux. It converts IDs in parameters and bodies, handles invalid texts,
 * and checks the annotations of controllers at startup.
 *
 * @since 1.0
 */
@AutoConfiguration
@ConditionalOnClass(WebFluxConfigurer.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
public final class SnowflakeWebFluxAutoConfiguration {

    SnowflakeWebFluxAutoConfiguration() {}

    @Bean("snowflake.requestIds")
    static BeanPostProcessor snowflakeRequestIds(
            ObjectProvider<PublicIds> publicIds, ObjectProvider<JacksonModuleRegistrar> registrars) {
        RequestIds ids = new RequestIds(publicIds);
        BodyMappers bodies = new BodyMappers(registrars, publicIds);
        return new BeanChange((bean, name) -> {
            if (bean instanceof RequestMappingHandlerAdapter adapter) {
                adapter.setWebBindingInitializer(ids.binding(adapter.getWebBindingInitializer()));
            } else if (bean instanceof RequestMappingHandlerMapping controllers) {
                ids.check(controllers.getHandlerMethods().values());
            } else if (bean instanceof ServerCodecConfigurer codecs) {
                complete(codecs, bodies);
            }
            return bean;
        });
    }

    private static void complete(ServerCodecConfigurer codecs, BodyMappers bodies) {
        for (HttpMessageReader<?> each : codecs.getReaders()) {
            if (each instanceof DecoderHttpMessageReader<?> reader) {
                bodies.complete(reader.getDecoder());
            }
        }
        for (HttpMessageWriter<?> each : codecs.getWriters()) {
            if (each instanceof EncoderHttpMessageWriter<?> writer) {
                bodies.complete(writer.getEncoder());
            } else if (each instanceof ServerSentEventHttpMessageWriter events && events.getEncoder() != null) {
                bodies.complete(events.getEncoder());
            }
        }
    }
}
