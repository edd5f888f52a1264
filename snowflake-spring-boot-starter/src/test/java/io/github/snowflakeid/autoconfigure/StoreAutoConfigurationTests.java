package io.github.snowflakeid.autoconfigure;

import static io.github.snowflakeid.autoconfigure.ActionAssertions.assertThatFailure;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.snowflakeid.IdGenerator;
import io.github.snowflakeid.SnowflakeIdGenerator;
import io.github.snowflakeid.WorkerId;
import io.github.snowflakeid.WorkerIdAssigner;
import io.github.snowflakeid.file.SnowflakeFileAutoConfiguration;
import io.github.snowflakeid.internal.store.StoreDescription;
import io.github.snowflakeid.internal.store.WorkerRegistryFactory;
import io.github.snowflakeid.jdbc.SnowflakeJdbcAutoConfiguration;
import io.github.snowflakeid.redis.SnowflakeRedisAutoConfiguration;
import io.github.snowflakeid.zookeeper.SnowflakeZooKeeperAutoConfiguration;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/**
 * Stores are auto-configurations: they apply if a generator uses them, and no worker ID is guessed if one of them is
 * missing.
 */
class StoreAutoConfigurationTests {

    private static final String NOT_IMPORTED = """
            If the application or a test imports auto-configurations one by one, import this one as well:

            @ImportAutoConfiguration(%s.class)

            Otherwise, remove it from 'spring.autoconfigure.exclude', or use another store than '%s' in 'snowflake.worker.strategy'.""";

    private final ApplicationContextRunner all = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    SnowflakeAutoConfiguration.class,
                    SnowflakeJdbcAutoConfiguration.class,
                    SnowflakeRedisAutoConfiguration.class,
                    SnowflakeZooKeeperAutoConfiguration.class,
                    SnowflakeFileAutoConfiguration.class))
            // Otherwise, an unavailable store would end the start.
            .withBean(WorkerIdAssigner.class, () -> layout -> new WorkerId(0, 7, "test"))
            .withBean(IdGenerator.class, () -> () -> 1L);

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    snowflake.clock.max-wait=1s               | jdbc
                    snowflake.worker.id=7                     | ''
                    snowflake.worker.strategy=fixed           | ''
                    snowflake.worker.strategy=host            | ''
                    snowflake.worker.strategy=REDIS           | redis
                    snowflake.worker.strategy=zookeeper       | zookeeper
                    snowflake.worker.strategy=file            | file
                    snowflake.type=segment                    | jdbc
                    snowflake.enabled=false                   | ''
                    """)
    void applyIfTheUnnamedGeneratorUsesThem(String property, String expected) {
        all.withPropertyValues(property)
                .run(context -> assertThat(context.getBeanNamesForType(WorkerRegistryFactory.class))
                        .isEqualTo(expected.isEmpty() ? new String[0] : new String[] {"snowflake.store." + expected}));
    }

    @Test
    void applyIfANamedGeneratorUsesThem() {
        all.withPropertyValues(
                        "snowflake.worker.id=7",
                        "snowflake.generators.orders.worker.strategy=zookeeper",
                        "snowflake.generators.invoices.type=segment",
                        "snowflake.generators.invoices.segment.store=redis",
                        "snowflake.generators.files.worker.strategy=file",
                        "snowflake.generators.files.enabled=false",
                        "spring.main.lazy-initialization=true")
                .withInitializer(context ->
                        context.addBeanFactoryPostProcessor(beans -> Stream.of(beans.getBeanDefinitionNames())
                                .forEach(each -> beans.getBeanDefinition(each).setLazyInit(true))))
                .run(context -> assertThat(context.getBeanNamesForType(WorkerRegistryFactory.class))
                        .containsExactlyInAnyOrder("snowflake.store.redis", "snowflake.store.zookeeper"));
    }

    @Test
    void withoutTheDefaultStoreNoWorkerIdIsGuessed() {
        ApplicationContextRunner alone = new ApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(DataSourceAutoConfiguration.class, SnowflakeAutoConfiguration.class))
                .withPropertyValues("spring.datasource.generate-unique-name=true");
        alone.run(context -> assertThatFailure(
                context.getStartupFailure(),
                "The application uses the store 'jdbc', but not its auto-configuration SnowflakeJdbcAutoConfiguration.",
                NOT_IMPORTED.formatted("io.github.snowflakeid.jdbc.SnowflakeJdbcAutoConfiguration", "jdbc")));
        alone.withUserConfiguration(AlsoImported.class)
                .run(context -> assertThat(
                                context.getBean(SnowflakeIdGenerator.class).lease())
                        .isPresent());
        alone.withPropertyValues("snowflake.worker.strategy=host")
                .run(context -> assertThat(
                                context.getBean(SnowflakeIdGenerator.class).lease())
                        .isEmpty());
    }

    @ImportAutoConfiguration(SnowflakeJdbcAutoConfiguration.class)
    static class AlsoImported {}

    @Test
    void missingStoreThatNoGeneratorUsesIsNotNeeded() {
        new ApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(DataSourceAutoConfiguration.class, SnowflakeAutoConfiguration.class))
                .withPropertyValues("spring.datasource.generate-unique-name=true", "snowflake.worker.id=7")
                .run(context -> assertThat(context).hasNotFailed().hasSingleBean(SnowflakeIdGenerator.class));
    }

    @Test
    void eachStoreSaysWhatItNeeds() {
        assertThat(StoreDescription.all(getClass().getClassLoader()))
                .extracting(StoreDescription::name)
                .containsExactly("jdbc", "redis", "zookeeper", "etcd", "consul", "kubernetes", "file");
        assertThat(StoreDescription.all(getClass().getClassLoader()))
                .allMatch(store -> store.isComplete(getClass().getClassLoader()));
    }

    /** A slice that has generators must have their stores. */
    @Test
    void everySliceWithGeneratorsHasAllStores() throws Exception {
        try (Stream<Path> files = Files.list(Path.of("src/main/resources/META-INF/spring"))) {
            assertThat(files.filter(file -> file.toString().endsWith(".imports"))
                            // Its generators need no store.
                            .filter(file -> !file.toString().contains("AutoConfigureTestIds"))
                            .map(StoreAutoConfigurationTests::lines)
                            .filter(lines -> lines.contains(SnowflakeAutoConfiguration.class.getName())))
                    .hasSizeGreaterThan(10)
                    .allSatisfy(lines -> assertThat(lines)
                            .contains(
                                    SnowflakeJdbcAutoConfiguration.class.getName(),
                                    SnowflakeRedisAutoConfiguration.class.getName(),
                                    SnowflakeZooKeeperAutoConfiguration.class.getName(),
                                    SnowflakeFileAutoConfiguration.class.getName()));
        }
    }

    private static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
