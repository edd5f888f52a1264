package io.github.snowflakeid.internal.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.github.snowflakeid.IdGenerator;
import io.github.snowflakeid.SnowflakeIdGenerator;
import io.github.snowflakeid.autoconfigure.SnowflakeAutoConfiguration;
import io.github.snowflakeid.etcd.SnowflakeEtcdAutoConfiguration;
import io.github.snowflakeid.file.SnowflakeFileAutoConfiguration;
import io.github.snowflakeid.jdbc.SnowflakeJdbcAutoConfiguration;
import io.github.snowflakeid.numbers.SnowflakeNumbersAutoConfiguration;
import io.github.snowflakeid.publicid.PublicId;
import io.github.snowflakeid.publicid.text.PublicIdText;
import io.github.snowflakeid.publicid.text.SnowflakePublicIdAutoConfiguration;
import io.github.snowflakeid.publicid.text.SnowflakePublicIdTextAutoConfiguration;
import io.github.snowflakeid.text.PublicIds;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.CompositePropertySource;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import org.springframework.util.ClassUtils;

class NeededConfigurationsTests {

    private static final String KEY = "3n8y16Si3kd80LBbg9YRgk6BSkF2euRyhgT49C+Ey/E=";

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withUserConfiguration(Application.class)
            .withBean("ids", IdGenerator.class, () -> () -> 1L);

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({
        SnowflakeAutoConfiguration.class,
        SnowflakeJdbcAutoConfiguration.class,
        SnowflakeEtcdAutoConfiguration.class,
        SnowflakeFileAutoConfiguration.class,
        SnowflakeNumbersAutoConfiguration.class,
        SnowflakePublicIdAutoConfiguration.class,
        SnowflakePublicIdTextAutoConfiguration.class
    })
    static class Application {}

    @Test
    void withoutPropertiesOnlyTheDefaultStoreIsConfigured() {
        application
                .withClassLoader(without(""))
                .run(context -> assertThat(context)
                        .hasSingleBean(SnowflakeAutoConfiguration.class)
                        .hasSingleBean(SnowflakeJdbcAutoConfiguration.class)
                        .doesNotHaveBean(SnowflakeEtcdAutoConfiguration.class)
                        .doesNotHaveBean(SnowflakeFileAutoConfiguration.class)
                        .doesNotHaveBean(SnowflakeNumbersAutoConfiguration.class)
                        .doesNotHaveBean(SnowflakePublicIdAutoConfiguration.class));
    }

    @Test
    void disabledGeneratorsNeedNoConfiguration() {
        application
                .withPropertyValues("snowflake.enabled=false")
                .run(context -> assertThat(context)
                        .doesNotHaveBean(SnowflakeAutoConfiguration.class)
                        .doesNotHaveBean(SnowflakeJdbcAutoConfiguration.class));
    }

    /** As from Spring Cloud Config, from a vault that cannot list its names, from a variable and from a test. */
    static Stream<PropertySource<?>> sources() {
        Map<String, Object> values = Map.of(
                "snowflake.worker.strategy", "file",
                "snowflake.public-ids.keys[0].name", "k",
                "snowflake.public-ids.keys[0].secret", KEY,
                "snowflake.numbers.invoices.format", "INV-{00000}");
        CompositePropertySource remote = new CompositePropertySource("configserver");
        remote.addPropertySource(new MapPropertySource("shop.yml", values));
        PropertySource<Object> vault = new PropertySource<>("vault", new Object()) {

            @Override
            public @Nullable Object getProperty(String name) {
                return values.get(name);
            }
        };
        Map<String, Object> variables = Map.of(
                "SNOWFLAKE_WORKER_STRATEGY", "file",
                "SNOWFLAKE_PUBLICIDS_KEYS_0_NAME", "k",
                "SNOWFLAKE_PUBLIC_IDS_KEYS_0_SECRET", KEY,
                "SNOWFLAKE_NUMBERS_INVOICES_FORMAT", "INV-{00000}");
        return Stream.of(
                remote,
                vault,
                new SystemEnvironmentPropertySource(
                        StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME, variables),
                new MapPropertySource("Dynamic Test Properties", values));
    }

    @ParameterizedTest
    @MethodSource("sources")
    void propertiesOfAnySourceSelectConfigurations(PropertySource<?> source) {
        application
                .withInitializer(
                        context -> context.getEnvironment().getPropertySources().addFirst(source))
                .withBean(DataSource.class, () -> new SingleConnectionDataSource("jdbc:h2:mem:needed", true))
                .run(context -> assertThat(context)
                        .hasSingleBean(SnowflakeFileAutoConfiguration.class)
                        .hasSingleBean(SnowflakeNumbersAutoConfiguration.class)
                        .hasSingleBean(PublicIds.class)
                        .doesNotHaveBean(SnowflakeJdbcAutoConfiguration.class));
    }

    @Test
    void aSourceWithoutNamesSetsPropertiesOfTheGenerator() {
        PropertySource<Object> vault = new PropertySource<>("vault", new Object()) {

            @Override
            public @Nullable Object getProperty(String name) {
                return name.equals("snowflake.worker.id") ? "7" : null;
            }
        };
        new ApplicationContextRunner()
                .withUserConfiguration(Application.class)
                .withInitializer(
                        context -> context.getEnvironment().getPropertySources().addFirst(vault))
                .run(context -> assertThat(context.getBean(SnowflakeIdGenerator.class)
                                .workerId()
                                .workerId())
                        .isEqualTo(7));
    }

    static List<String> librariesThatShowIds() {
        return NeededConfigurations.SHOW_IDS;
    }

    @ParameterizedTest
    @MethodSource("librariesThatShowIds")
    void typedIdsAreTextForEachLibraryThatShowsThem(String library) {
        ClassLoader all = getClass().getClassLoader();
        assumeThat(ClassUtils.isPresent(library, all)).isTrue();

        application
                .withClassLoader(without(library))
                .run(context -> assertThat(context).hasSingleBean(SnowflakePublicIdAutoConfiguration.class));
    }

    /** Returns a class loader without the libraries that show IDs, except for one. */
    private static FilteredClassLoader without(String except) {
        return new FilteredClassLoader(name -> !name.equals(except) && NeededConfigurations.SHOW_IDS.contains(name));
    }

    @PublicId("order")
    record OrderId(long value) {}

    @Test
    void publicIdsOfTheApplicationAreUsedWithoutProperties() {
        PublicIds publicIds = PublicIds.of(PublicIds.Key.of("k", KEY));
        application
                .withClassLoader(without(""))
                .withBean(PublicIds.class, () -> publicIds)
                .run(context -> {
                    assertThat(context).doesNotHaveBean(SnowflakePublicIdAutoConfiguration.class);
                    assertThat(PublicIdText.of(new OrderId(7))).isEqualTo(publicIds.encode("order", 7));
                });
    }
}
