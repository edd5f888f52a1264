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
import org.springframework.core.convert.converter.ConverterRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurationSupport;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerAdapter;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

/**
 * Auto-configuration of {@link PublicId} in Spring MVC. It converts IDs in parameters and bodies, handles invalid
 * texts, and checks the annotations of controllers at startup.
 *
 * @since 1.0
 */
@AutoConfiguration
@ConditionalOnClass(WebMvcConfigurer.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
public final class SnowflakeWebMvcAutoConfiguration {

    /**
     * The conversion service with which Spring MVC creates links. It is found by name, because a
     * {@link WebMvcConfigurer} does not reach the service of a custom {@link WebMvcConfigurationSupport}.
     */
    private static final String CONVERSION = "mvcConversionService";

    SnowflakeWebMvcAutoConfiguration() {}

    @Bean("snowflake.requestIds")
    static BeanPostProcessor snowflakeRequestIds(
            ObjectProvider<PublicIds> publicIds,
            ObjectProvider<JacksonModuleRegistrar> registrars,
            ObjectProvider<SerializableIds> serializable) {
        RequestIds ids = new RequestIds(publicIds);
        BodyMappers bodies = new BodyMappers(registrars, publicIds);
        return new BeanChange((bean, name) -> {
            if (name.equals(CONVERSION) && bean instanceof ConverterRegistry registry) {
                ids.addConverter(registry);
            } else if (bean instanceof RequestMappingHandlerAdapter adapter) {
                adapter.setWebBindingInitializer(ids.binding(adapter.getWebBindingInitializer()));
                adapter.getMessageConverters().forEach(bodies::complete);
                serializable.ifAvailable(guard -> guard.addTo(adapter.getMessageConverters()));
            } else if (bean instanceof RequestMappingHandlerMapping controllers) {
                ids.check(controllers.getHandlerMethods().values());
            }
            return bean;
        });
    }
}
