package io.github.snowflakeid.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.snowflakeid.IdLayout;
import io.github.snowflakeid.WorkerIdAssigner;
import java.util.List;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.support.PropertySourcesPlaceholderConfigurer;
import org.springframework.test.context.DynamicPropertyRegistrar;
import org.springframework.test.context.support.DynamicPropertyRegistrarBeanInitializer;

class SnowflakePropertiesTests {

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(SnowflakeAutoConfiguration.class))
            .withBean(WorkerIdAssigner.class, () -> WorkerIdAssigner.fixed(0, 1));

    @Test
    void withoutPropertiesTheGroupIsAsBindingWouldCreateIt() {
        assertThat(SnowflakeProperties.defaults())
                .isEqualTo(new Binder(List.of()).bindOrCreate("snowflake", SnowflakeProperties.class));
    }

    @Test
    void propertiesOfARegistrarCountAlthoughTheyFollowTheDefinitionsOfBeans() {
        application
                .withBean(DynamicPropertyRegistrarBeanInitializer.class)
                .withBean(DynamicPropertyRegistrar.class, () -> added -> added.add("snowflake.layout", () -> "twitter"))
                .run(context -> assertThat(context.getBean(IdLayout.class)).isEqualTo(IdLayout.TWITTER));
    }

    @Test
    void propertiesOfAConfigurerOfPlaceholdersCount() {
        application
                .withBean(PropertySourcesPlaceholderConfigurer.class, () -> {
                    Properties file = new Properties();
                    file.put("snowflake.layout", "twitter");
                    PropertySourcesPlaceholderConfigurer configurer = new PropertySourcesPlaceholderConfigurer();
                    configurer.setProperties(file);
                    return configurer;
                })
                .run(context -> assertThat(context.getBean(IdLayout.class)).isEqualTo(IdLayout.TWITTER));
    }
}
