package io.github.snowflakeid.it.datajdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.snowflakeid.SnowflakeId;
import io.github.snowflakeid.failure.ConfigurationException;
import io.github.snowflakeid.publicid.PublicId;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.AutoConfigurationPackage;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.data.annotation.Id;
import org.springframework.data.annotation.PersistenceCreator;
import org.springframework.data.annotation.ReadOnlyProperty;
import org.springframework.data.annotation.Transient;
import org.springframework.data.jdbc.core.JdbcAggregateTemplate;
import org.springframework.data.jdbc.core.convert.DataAccessStrategy;
import org.springframework.data.jdbc.core.convert.JdbcConverter;
import org.springframework.data.jdbc.core.mapping.JdbcMappingContext;
import org.springframework.data.relational.core.mapping.Sequence;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

@SpringBootTest
@ExtendWith(OutputCaptureExtension.class)
class DataJdbcFailureTests {

    @Autowired
    private JdbcAggregateTemplate template;

    @Test
    void generatorThatDoesNotExistFailsStartup(CapturedOutput output) {
        assertThatThrownBy(() -> SpringApplication.run(WrongShop.class)).isNotNull();

        assertThat(output)
                .contains("APPLICATION FAILED TO START")
                .contains(
                        "Attribute 'id' of io.github.snowflakeid.it.unknowngenerator.Invoice refers to generator 'ticket', which does not exist; existing generators: 'default', 'tickets'.")
                .contains("""
                        Use one of these names, or define the generator:

                        snowflake.generators.ticket.layout: default
                        """);
    }

    @Test
    void aDataSourceThatFailsIsAskedOnce() {
        AtomicInteger requests = new AtomicInteger();
        DataSource flaky = new DelegatingDataSource(new DriverManagerDataSource("jdbc:h2:mem:flaky")) {
            @Override
            public Connection getConnection() throws SQLException {
                // The first connection is for the dialect of Spring Data.
                if (requests.incrementAndGet() > 1) {
                    throw new IllegalStateException("no route");
                }
                return super.getConnection();
            }
        };

        new SpringApplicationBuilder(DataJdbcShop.class)
                .initializers(
                        context -> ((GenericApplicationContext) context).registerBean(DataSource.class, () -> flaky))
                .run(
                        "--spring.sql.init.mode=never",
                        "--snowflake.worker.id=1",
                        "--snowflake.generators.tickets.worker.id=1")
                .close();

        assertThat(requests).hasValue(2);
    }

    @Test
    void columnThatCannotHoldIdsIsNamedAtStartup(CapturedOutput output) {
        SpringApplication.run(
                        DataJdbcShop.class,
                        "--spring.datasource.url=jdbc:h2:mem:narrow;INIT=create table if not exists ticket (id integer primary key)",
                        "--spring.sql.init.mode=never",
                        "--snowflake.worker.id=1",
                        "--snowflake.generators.tickets.worker.id=1")
                .close();

        assertThat(output)
                .containsOnlyOnce(" which cannot hold Snowflake IDs")
                .contains(
                        "Attribute 'id' of io.github.snowflakeid.it.datajdbc.DataJdbcTicket has a column of type INTEGER, which cannot hold Snowflake IDs: change the type of \"ID\" in table \"TICKET\" to BIGINT");
    }

    @EnableAutoConfiguration
    @AutoConfigurationPackage(basePackages = "io.github.snowflakeid.it.unknowngenerator")
    static class WrongShop {}

    @ParameterizedTest
    @ValueSource(
            classes = {
                OfWrongType.class,
                NotMapped.class,
                NotWritten.class,
                Final.class,
                LostInCopies.class,
                OfASequence.class
            })
    void attributeThatCannotGetIdsIsRejected(Class<?> entity) throws Exception {
        Object row = entity.getDeclaredConstructor().newInstance();
        String expected = (String) entity.getDeclaredField("EXPECTED").get(null);

        assertThatExceptionOfType(ConfigurationException.class)
                .isThrownBy(() -> template.save(row))
                .withMessage("Attribute 'id' of " + entity.getName() + expected);
    }

    record MarkedValue(@PublicId("order") Long value) {}

    record OfMarkedValue(@Id MarkedValue id, String name) {}

    @PublicId("tag")
    record MarkedEntity(@Id Long id) {}

    @Test
    void annotationOnTheWrongClassIsRejected() {
        assertThatExceptionOfType(ConfigurationException.class)
                .isThrownBy(() -> template.insert(new OfMarkedValue(new MarkedValue(7L), "tea")))
                .withMessage(
                        "Attribute 'id' of %s is no ID: the annotation is on 'value' of %s, which makes only that attribute an ID, not its class",
                        OfMarkedValue.class.getName(), MarkedValue.class.getName());
        assertThatExceptionOfType(ConfigurationException.class)
                .isThrownBy(() -> template.insert(new MarkedEntity(7L)))
                .withMessageStartingWith(MarkedEntity.class.getName() + " cannot be an ID");
    }

    @Test
    void templateWithoutEntityCallbacksIsRejected(
            @Autowired JdbcMappingContext mapping,
            @Autowired JdbcConverter converter,
            @Autowired DataAccessStrategy strategy) {
        JdbcAggregateTemplate withoutCallbacks =
                new JdbcAggregateTemplate((ApplicationEventPublisher) event -> {}, mapping, converter, strategy);

        for (Object row : List.of(new DataJdbcTicket(null, "Hamlet"), new DataJdbcCounter("visits"))) {
            assertThatThrownBy(() -> withoutCallbacks.save(row))
                    .hasStackTraceContaining(
                            "%s was not inserted: 'id' is not set, because the JdbcAggregateTemplate has no entity callbacks, or because a BeforeSaveCallback or an event listener has added the object. Create the template with the ApplicationContext as the first argument, and add objects in a BeforeConvertCallback"
                                    .formatted(row.getClass().getName()));
        }
    }

    /** Parts that hold objects with IDs must be replaceable as well. */
    @Test
    void partThatCannotBeReplacedIsRejected() {
        assertThatExceptionOfType(ConfigurationException.class)
                .isThrownBy(() -> template.save(new Whole(List.of(new Part(null)))))
                .satisfies(refused -> {
                    assertThat(refused.getMessage())
                            .isEqualTo(
                                    "Attribute 'parts' of %s cannot get a Snowflake ID: it is final, and 'id' is not a constructor parameter",
                                    Whole.class.getName());
                    assertThat(refused.action().orElseThrow())
                            .isEqualTo(
                                    "Declare the attribute without final (in Kotlin, as var), or add 'id' to the constructor.");
                });
    }

    static class Whole {

        @Id
        @SnowflakeId
        Long id;

        final List<Part> parts;

        Whole(List<Part> parts) {
            this.parts = parts;
        }
    }

    record Part(@Id @SnowflakeId Long id) {}

    static class OfWrongType {
        static final String EXPECTED =
                " must be a Long, a long, a String or a BigInteger to hold a Snowflake ID, but is a int";

        @Id
        @SnowflakeId
        int id;
    }

    static class NotMapped {
        static final String EXPECTED = " gets no Snowflake ID: Spring Data does not map it";

        @Id
        Long key;

        @Transient
        @SnowflakeId
        Long id;
    }

    static class NotWritten {
        static final String EXPECTED = " gets no Snowflake ID: Spring Data does not write it";

        @Id
        Long key;

        @ReadOnlyProperty
        @SnowflakeId
        Long id;
    }

    static class Final {
        static final String EXPECTED =
                " cannot get a Snowflake ID: it is final, and 'id' is not a constructor parameter";

        @Id
        @SnowflakeId
        final Long id = null;
    }

    static class LostInCopies {
        static final String EXPECTED =
                " cannot get a Snowflake ID: it is final, and 'name' is not a constructor parameter";

        @Id
        @SnowflakeId
        final Long id;

        String name = "Ada";

        LostInCopies() {
            this(null);
        }

        @PersistenceCreator
        LostInCopies(Long id) {
            this.id = id;
        }
    }

    static class OfASequence {
        static final String EXPECTED = " has two sources of values: @SnowflakeId and @Sequence";

        @Id
        @SnowflakeId
        @Sequence("orders")
        Long id;
    }
}
