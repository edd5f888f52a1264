package io.github.snowflakeid.publicid.data;

import io.github.snowflakeid.internal.text.BeanChange;
import io.github.snowflakeid.internal.text.IdTextConverter;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.data.repository.support.DomainClassConverter;
import org.springframework.data.repository.support.Repositories;
import org.springframework.format.support.FormattingConversionService;
import org.springframework.util.function.SingletonSupplier;

/**
 * Auto-configuration of parameters that are entities of Spring Data: a request contains the ID of the entity in the
 * text form that the annotations of the ID choose.
 *
 * @since 0.1.0
 */
@AutoConfiguration
@ConditionalOnClass(DomainClassConverter.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
public final class SnowflakeEntityConverterAutoConfiguration {

    SnowflakeEntityConverterAutoConfiguration() {}

    @Bean("snowflake.entityConverter")
    static BeanPostProcessor snowflakeEntityConverter(ListableBeanFactory beans, ObjectProvider<IdTextConverter> ids) {
        return new BeanChange((bean, name) -> {
            // Spring Data has registered its converter, and the converter that is registered last has precedence.
            if (name.equals("mvcConversionService") && bean instanceof FormattingConversionService service) {
                service.addConverter(new EntityConverter(
                        SingletonSupplier.of(() -> new Repositories(beans)), ids.getObject(), service));
            }
            return bean;
        });
    }
}
