package io.github.snowflakeid.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.snowflakeid.GeneratorClosedException;
import io.github.snowflakeid.IdGenerator;
import io.github.snowflakeid.IdLayout;
import io.github.snowflakeid.SnowflakeIdGenerator;
import io.github.snowflakeid.jdbc.SnowflakeJdbcAutoConfiguration;
import io.github.snowflakeid.segment.SegmentIdGenerator;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

class SnowflakeGeneratorsTests {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    DataSourceAutoConfiguration.class,
                    SnowflakeAutoConfiguration.class,
                    SnowflakeJdbcAutoConfiguration.class))
            .withPropertyValues(
                    "spring.datasource.generate-unique-name=true",
                    "snowflake.generators.orders.layout=javascript-safe",
                    "snowflake.generators.invoices.type=segment");

    @Test
    void getReturnsGeneratorsOfAllKindsByName() {
        runner.withUserConfiguration(Own.class).run(context -> {
            SnowflakeGenerators generators = context.getBean(SnowflakeGenerators.class);

            assertThat(generators.get("default")).isSameAs(context.getBean(IdGenerator.class));
            assertThat(((SnowflakeIdGenerator) generators.get("orders")).layout())
                    .isEqualTo(IdLayout.JAVASCRIPT_SAFE);
            assertThat(generators.get("invoices")).isInstanceOf(SegmentIdGenerator.class);
            assertThat(generators.get("tickets").nextId()).isEqualTo(42);
            assertThat(generators.names()).containsExactly("default", "invoices", "mine", "orders", "tickets");
        });
    }

    @Configuration(proxyBeanMethods = false)
    static class Own {

        @Bean(defaultCandidate = false)
        @Qualifier("tickets")
        IdGenerator mine() {
            return () -> 42;
        }
    }

    @Test
    void unnamedGeneratorMayBeOneOfTheApplication() {
        runner.withBean("mine", IdGenerator.class, () -> () -> 43)
                .run(context -> assertThat(context.getBean(SnowflakeGenerators.class)
                                .get("default")
                                .nextId())
                        .isEqualTo(43));
    }

    @Test
    void getOfAnUnknownNameListsTheNames() {
        runner.run(
                context -> assertThatThrownBy(
                                () -> context.getBean(SnowflakeGenerators.class).get("oders"))
                        .hasMessage(
                                "The application refers to generator 'oders', which does not exist; existing generators: 'default', 'invoices', 'orders'"));
    }

    @Test
    void managedGeneratorsAreThoseThatExist() {
        runner.run(context -> {
            SnowflakeGenerators generators = context.getBean(SnowflakeGenerators.class);

            assertThat(generators.managed()).containsOnlyKeys("orders", "invoices");
            generators.get("default");
            assertThat(generators.managed()).containsOnlyKeys("default", "orders", "invoices");
        });
    }

    @Test
    void mapOfGeneratorsHasTheUnnamedOneOnly() {
        runner.withBean(Injected.class)
                .run(context -> assertThat(context.getBean(Injected.class).generators())
                        .containsOnlyKeys("snowflake.generators.default"));
    }

    record Injected(Map<String, IdGenerator> generators) {}

    @Test
    void sequentialNumbersAloneNeedNoLease() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        DataSourceAutoConfiguration.class,
                        SnowflakeAutoConfiguration.class,
                        SnowflakeJdbcAutoConfiguration.class))
                .withPropertyValues("spring.datasource.generate-unique-name=true", "snowflake.type=segment")
                .run(context -> {
                    assertThat(context.getBean(IdGenerator.class).nextId()).isEqualTo(1);
                    assertThat(context).doesNotHaveBean(SnowflakeIdGenerator.class);
                });
    }

    @Test
    void stoppedContextClosesGeneratorsWithFixedWorkerIdsToo() {
        new ApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(SnowflakeAutoConfiguration.class, SnowflakeJdbcAutoConfiguration.class))
                .withPropertyValues("snowflake.worker.id=7", "snowflake.tick=50ms", "snowflake.clock.max-wait=1m")
                .run(context -> {
                    SnowflakeIdGenerator generator = context.getBean(SnowflakeIdGenerator.class);
                    long last = generator.nextId();

                    context.getSourceApplicationContext().stop();

                    assertThatThrownBy(generator::nextId).isInstanceOf(GeneratorClosedException.class);
                    context.getSourceApplicationContext().start();
                    // Another process that was restored from the same checkpoint may have used the current tick.
                    assertThat(tick(generator, generator.nextId())).isGreaterThan(tick(generator, last));
                });
    }

    private static long tick(SnowflakeIdGenerator generator, long id) {
        return Duration.between(
                        generator.layout().epoch(),
                        generator.layout().decode(id).timestamp())
                .dividedBy(generator.layout().tick());
    }

    @Test
    @ExtendWith(OutputCaptureExtension.class)
    void unknownQualifierFailsStartupAndListsTheNames(CapturedOutput output) {
        Callable<?> start = () -> new SpringApplicationBuilder(Asking.class)
                .web(WebApplicationType.NONE)
                .run("--snowflake.worker.id=7", "--snowflake.generators.orders.worker.id=8");

        assertThatThrownBy(start::call).isNotNull();

        assertThat(output)
                .contains(
                        "Method 'asking' parameter 0 refers to generator 'oders', which does not exist; existing generators: 'default', 'orders'.")
                .contains("docs/troubleshooting.md#unknown-generator")
                .contains("snowflake.generators.oders.layout: default");
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({SnowflakeAutoConfiguration.class, SnowflakeJdbcAutoConfiguration.class})
    static class Asking {

        @Bean
        Object asking(@Qualifier("oders") IdGenerator ids) {
            return ids.toString();
        }
    }
}
