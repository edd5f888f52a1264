package io.github.snowflakeid.publicid.graphql;

import io.github.snowflakeid.internal.text.IdTextConverter;
import java.lang.reflect.Method;
import java.util.function.Consumer;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.annotation.RegisterReflection;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.convert.ApplicationConversionService;
import org.springframework.context.annotation.Bean;
import org.springframework.core.convert.ConversionService;
import org.springframework.graphql.data.method.annotation.support.AnnotatedControllerConfigurer;
import org.springframework.util.ReflectionUtils;

/**
 * Auto-configuration of IDs in Spring for GraphQL. Results contain IDs in their text form, and arguments may be typed
 * IDs.
 *
 * @since 1.0
 */
@AutoConfiguration
@ConditionalOnClass(AnnotatedControllerConfigurer.class)
@RegisterReflection(
        classes = AnnotatedControllerConfigurer.class,
        classNames = "org.springframework.graphql.data.GraphQlArgumentBinder$Options",
        memberCategories = MemberCategory.INVOKE_PUBLIC_METHODS)
public final class SnowflakeGraphQlAutoConfiguration {

    SnowflakeGraphQlAutoConfiguration() {}

    @Bean("snowflake.graphQlIds")
    GraphQlIds snowflakeGraphQlIds(ListableBeanFactory beans, IdTextConverter converter) {
        return new GraphQlIds(beans, converter);
    }

    @Bean("snowflake.graphQlArguments")
    static BeanPostProcessor snowflakeGraphQlArguments(ObjectProvider<IdTextConverter> converter) {
        return new BeanPostProcessor() {

            @Override
            public Object postProcessBeforeInitialization(Object bean, String name) {
                if (bean instanceof AnnotatedControllerConfigurer) {
                    Method binder = ReflectionUtils.findMethod(bean.getClass(), "configureBinder", Consumer.class);
                    Consumer<Object> change = options -> convertIds(options, converter.getObject());
                    if (binder != null) {
                        ReflectionUtils.invokeMethod(binder, bean, change);
                    }
                }
                return bean;
            }
        };
    }

    /**
     * Adds the converter on Spring Boot 4, which uses a shared conversion service without the converters of the
     * application. Spring for GraphQL 2 is not on the compile class path, hence the reflection.
     */
    private static void convertIds(Object options, IdTextConverter converter) {
        Method getter = ReflectionUtils.findMethod(options.getClass(), "conversionService");
        Method setter = ReflectionUtils.findMethod(options.getClass(), "conversionService", ConversionService.class);
        if (getter != null
                && setter != null
                && ApplicationConversionService.getSharedInstance()
                        .equals(ReflectionUtils.invokeMethod(getter, options))) {
            ApplicationConversionService service = new ApplicationConversionService();
            service.addConverter(converter);
            ReflectionUtils.invokeMethod(setter, options, service);
        }
    }
}
