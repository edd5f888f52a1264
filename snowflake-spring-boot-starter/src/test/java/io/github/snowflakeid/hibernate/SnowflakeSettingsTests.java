package io.github.snowflakeid.hibernate;

import static io.github.snowflakeid.hibernate.IdMappingTests.assertThatAnalysis;
import static io.github.snowflakeid.hibernate.IdMappingTests.factory;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.github.snowflakeid.IdGenerator;
import io.github.snowflakeid.SnowflakeId;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.Id;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Supplier;
import org.hibernate.SessionFactory;
import org.junit.jupiter.api.Test;

class SnowflakeSettingsTests {

    private static final IdGenerator IDS = () -> 1;
    private static final IdGenerator ORDERS = () -> 2;

    @Test
    void nameASettingForEachGenerator() {
        assertThat(SnowflakeSettings.ID_GENERATOR).isEqualTo("snowflake.id-generator");
        assertThat(SnowflakeSettings.idGenerator("orders")).isEqualTo("snowflake.id-generator.orders");
        assertThat(SnowflakeSettings.idGenerator("")).isEqualTo(SnowflakeSettings.ID_GENERATOR);
    }

    @Test
    void giveEachAttributeTheGeneratorThatItNames() {
        Map<String, Object> settings =
                Map.of(SnowflakeSettings.ID_GENERATOR, IDS, SnowflakeSettings.idGenerator("orders"), ORDERS);
        try (SessionFactory factory = factory(settings, Order.class)) {
            Order order = new Order();
            factory.inTransaction(session -> session.persist(order));

            assertThat(order.id).isEqualTo(2);
            assertThat(order.number).isEqualTo(1);
        }
    }

    @Test
    void missingOneIsAnErrorOnlyWhenIdsAreNeeded() {
        try (SessionFactory factory = factory(Map.of(), Misspelled.class)) {
            assertThatAnalysis(
                    catchThrowable(() -> factory.inTransaction(session -> session.persist(new Misspelled()))),
                    "No Snowflake ID for attribute 'id' of %s: setting 'snowflake.id-generator.oders' of its EntityManagerFactory is missing."
                            .formatted(Misspelled.class.getName()),
                    """
                    Define the generator, unless it is already defined:

                    snowflake.generators.oders.layout: default

                    Create the EntityManagerFactory with Spring's LocalContainerEntityManagerFactoryBean. If you create it without Spring, set an IdGenerator:

                    Persistence.createEntityManagerFactory(unit, Map.of(SnowflakeSettings.idGenerator("oders"), idGenerator))""");
        }
    }

    @Test
    void rejectANameOfNoGenerator() {
        String action = """
                %s the generator:

                snowflake.generators.oders.layout: default

                If you create the EntityManagerFactory without Spring, set an IdGenerator:

                Persistence.createEntityManagerFactory(unit, Map.of(SnowflakeSettings.idGenerator("oders"), idGenerator))""";

        assertThatAnalysis(
                catchThrowable(() -> factory(Map.of("snowflake.id-generator.tickets", IDS), Misspelled.class)),
                "Attribute 'id' of %s refers to generator 'oders', which does not exist; existing generators: 'tickets'."
                        .formatted(Misspelled.class.getName()),
                action.formatted("Use one of these names, or define"));
        assertThatAnalysis(
                catchThrowable(() -> factory(Map.of("snowflake.id-generator", IDS), Misspelled.class)),
                "Attribute 'id' of %s refers to generator 'oders', which does not exist; no generator has a name."
                        .formatted(Misspelled.class.getName()),
                action.formatted("Define"));
    }

    @Test
    void unnamedGeneratorMustExistIfItIsNeededNextToNamedOnes() {
        for (Class<?> entity : new Class<?>[] {Order.class, ByGeneratedValue.class}) {
            String attribute = entity == Order.class ? "number" : "id";
            assertThatAnalysis(
                    catchThrowable(() -> factory(Map.of("snowflake.id-generator.orders", ORDERS), entity)),
                    "No Snowflake ID for attribute '%s' of %s: setting 'snowflake.id-generator' of its EntityManagerFactory is missing."
                            .formatted(attribute, entity.getName()),
                    """
                    Define the generator, unless it is already defined:

                    snowflake.enabled: true

                    Create the EntityManagerFactory with Spring's LocalContainerEntityManagerFactoryBean. If you create it without Spring, set an IdGenerator:

                    Persistence.createEntityManagerFactory(unit, Map.of(SnowflakeSettings.ID_GENERATOR, idGenerator))""");
        }
    }

    @Test
    void mayThrowTheReasonWhyThereIsNoGenerator() {
        Function<String, Supplier<IdGenerator>> none = attribute -> {
            throw new IllegalStateException("there are two for " + attribute);
        };

        assertThatThrownBy(() -> factory(Map.of("snowflake.id-generator.oders", none), Misspelled.class))
                .hasMessage("there are two for 'id' of " + Misspelled.class.getName());
    }

    @Test
    void maySupplyAGeneratorWhenTheFirstIdIsNeeded() {
        AtomicInteger calls = new AtomicInteger();
        Supplier<IdGenerator> later = () -> {
            calls.incrementAndGet();
            return ORDERS;
        };
        try (SessionFactory factory = factory(Map.of(SnowflakeSettings.ID_GENERATOR, later), ByGeneratedValue.class)) {
            assertThat(calls).hasValue(0);
            ByGeneratedValue row = new ByGeneratedValue();
            factory.inTransaction(session -> session.persist(row));

            assertThat(calls).hasValue(1);
            assertThat(row.id).isEqualTo(2);
        }
    }

    @Test
    void mustBeGenerators() {
        assertThatAnalysis(
                catchThrowable(() -> factory(Map.of("snowflake.id-generator.oders", "orders"), Misspelled.class)),
                "Setting 'snowflake.id-generator.oders' of the EntityManagerFactory must be an IdGenerator, but is a java.lang.String.",
                """
                Set an IdGenerator:

                Persistence.createEntityManagerFactory(unit, Map.of(SnowflakeSettings.idGenerator("oders"), idGenerator))""");
    }

    @Entity(name = "Purchase")
    static class Order {
        @Id
        @SnowflakeId("orders")
        Long id;

        @SnowflakeId
        Long number;
    }

    @Entity(name = "Misspelled")
    static class Misspelled {
        @Id
        @SnowflakeId("oders")
        Long id;
    }

    @Entity(name = "ByGeneratedValue")
    static class ByGeneratedValue {
        @Id
        @GeneratedValue(generator = "snowflake")
        Long id;
    }
}
