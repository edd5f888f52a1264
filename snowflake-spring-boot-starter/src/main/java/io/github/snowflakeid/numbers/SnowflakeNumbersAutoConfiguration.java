package io.github.snowflakeid.numbers;

import io.github.snowflakeid.internal.properties.GeneratorProperties;
import io.github.snowflakeid.internal.properties.PropertyCheck;
import io.github.snowflakeid.internal.properties.PropertyGroup;
import io.github.snowflakeid.numbers.NumberProperties.Series;
import java.util.Map;
import java.util.Set;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.beans.factory.support.AutowireCandidateQualifier;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotationMetadata;

/**
 * Auto-configuration of {@link DocumentNumbers} beans from the properties {@code snowflake.numbers.*}. Each series is a
 * bean with its name as qualifier. If there is only one series, it is injected without a qualifier as well. Series are
 * created after the initialization of databases, which may create their table.
 *
 * @since 1.0
 */
@AutoConfiguration(
        afterName = {
            "org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration",
            "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration"
        })
@PropertyGroup(NumberProperties.class)
@Import({PropertyCheck.class, SnowflakeNumbersAutoConfiguration.Registrar.class})
public final class SnowflakeNumbersAutoConfiguration {

    SnowflakeNumbersAutoConfiguration() {}

    /** Registers the beans of the series. Rejects unknown properties: a misspelled 'gapless' would have no effect. */
    static final class Registrar implements ImportBeanDefinitionRegistrar {

        private final Environment environment;

        Registrar(Environment environment) {
            this.environment = environment;
        }

        @Override
        public void registerBeanDefinitions(AnnotationMetadata autoConfiguration, BeanDefinitionRegistry registry) {
            Bindable<Map<String, Series>> type = Bindable.mapOf(String.class, Series.class);
            Set<String> names = GeneratorProperties.bindStrictly(environment, NumberProperties.GROUP, type)
                    .orElse(Map.of())
                    .keySet();
            if (!names.isEmpty()) {
                RootBeanDefinition all = new RootBeanDefinition(AllSeries.class);
                all.setAutowireMode(AbstractBeanDefinition.AUTOWIRE_CONSTRUCTOR);
                registry.registerBeanDefinition("snowflake.series", all);
            }
            for (String name : names) {
                RootBeanDefinition series = new RootBeanDefinition(StoredDocumentNumbers.class);
                series.setAutowireMode(AbstractBeanDefinition.AUTOWIRE_CONSTRUCTOR);
                series.getConstructorArgumentValues().addIndexedArgumentValue(0, name);
                series.addQualifier(new AutowireCandidateQualifier(Qualifier.class, name));
                registry.registerBeanDefinition(NumberProperties.GROUP + "." + name, series);
            }
        }
    }
}
