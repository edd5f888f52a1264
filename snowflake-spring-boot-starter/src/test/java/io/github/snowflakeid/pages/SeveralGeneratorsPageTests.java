package io.github.snowflakeid.pages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.snowflakeid.IdFields;
import io.github.snowflakeid.IdGenerator;
import io.github.snowflakeid.IdLayout;
import io.github.snowflakeid.WorkerIdAssigner;
import io.github.snowflakeid.autoconfigure.SnowflakeAutoConfiguration;
import io.github.snowflakeid.autoconfigure.SnowflakeGenerators;
import io.github.snowflakeid.jdbc.SnowflakeJdbcAutoConfiguration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.stereotype.Component;

/** Checks the generators of docs/layouts.md, of which the sample has the entity. */
class SeveralGeneratorsPageTests {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    DataSourceAutoConfiguration.class,
                    SnowflakeAutoConfiguration.class,
                    SnowflakeJdbcAutoConfiguration.class))
            .withPropertyValues(
                    "spring.datasource.generate-unique-name=true",
                    "snowflake.generators.orders.epoch=2026-01-01T00:00:00Z",
                    "snowflake.generators.tickets.layout=javascript-safe");

    @Component
    static class Numbering {

        private final SnowflakeGenerators generators;

        Numbering(SnowflakeGenerators generators) {
            this.generators = generators;
        }

        long next(String kind) {
            return generators.get(kind).nextId();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @Import(Numbering.class)
    static class Application {

        @Bean(defaultCandidate = false)
        @Qualifier("orders")
        WorkerIdAssigner workerIdOfOrders() {
            return WorkerIdAssigner.fixed(3, 7);
        }
    }

    @Test
    void generatorsAreFoundByName() {
        runner.withUserConfiguration(Application.class).run(context -> {
            Numbering numbering = context.getBean(Numbering.class);
            IdFields order = IdLayout.DEFAULT.decode(numbering.next("orders"));

            assertThat(order.datacenterId()).isEqualTo(3);
            assertThat(order.workerId()).isEqualTo(7);
            assertThat(numbering.next("tickets")).isLessThan(1L << 53);
            assertThatThrownBy(() -> numbering.next("receipts")).hasMessageContaining("'orders', 'tickets'");
        });
    }

    @Test
    void collectionsHaveTheUnnamedGeneratorOnly() {
        runner.withBean(All.class)
                .run(context -> assertThat(context.getBean(All.class).ids()).hasSize(1));
    }

    record All(Map<String, IdGenerator> ids) {}
}
