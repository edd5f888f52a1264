package io.github.snowflakeid.it.datamongodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.snowflakeid.SnowflakeId;
import io.github.snowflakeid.SnowflakeIdGenerator;
import io.github.snowflakeid.failure.ConfigurationException;
import io.github.snowflakeid.it.unknownmongogenerator.MongoInvoice;
import io.github.snowflakeid.publicid.PublicId;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.AutoConfigurationPackage;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.data.annotation.Id;
import org.springframework.data.annotation.PersistenceCreator;
import org.springframework.data.annotation.ReadOnlyProperty;
import org.springframework.data.annotation.Transient;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.test.context.ContextConfiguration;

@SpringBootTest
@ContextConfiguration(initializers = MongoServer.class)
@ExtendWith(OutputCaptureExtension.class)
class MongoFailureTests {

    private static final String NO_DATA_SOURCE =
            "--spring.autoconfigure.exclude=org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration,org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration";

    @Autowired
    private MongoTemplate template;

    private static ConfigurableApplicationContext run(Class<?> application, String... arguments) {
        return new SpringApplicationBuilder(application)
                .initializers(new MongoServer())
                .run(arguments);
    }

    @Test
    void workerIdIsNotGuessedNextToMongodb(CapturedOutput output) {
        assertThatThrownBy(() ->
                        run(MongoShop.class, NO_DATA_SOURCE, "--snowflake.worker.strategy=", "--snowflake.worker.id="))
                .isNotNull();

        assertThat(output)
                .contains("There is MongoDB, but no store to lease a worker ID from")
                .contains("snowflake.worker.strategy: redis")
                .contains("Alternatively, use fixed worker IDs in every process");
    }

    @Test
    void databaseInThisProcessIsNoStoreNextToMongodb(CapturedOutput output) {
        assertThatThrownBy(() -> run(
                        MongoShop.class,
                        "--spring.datasource.url=jdbc:h2:mem:cache",
                        "--snowflake.worker.strategy=",
                        "--snowflake.worker.id="))
                .isNotNull();

        assertThat(output)
                .contains(
                        "The store of leases, jdbc:h2:mem:cache, is inside this process, but other processes reach MongoDB.");
    }

    @Test
    void fixedWorkerIdsNeedNoStore() {
        try (ConfigurableApplicationContext context =
                run(MongoShop.class, NO_DATA_SOURCE, "--snowflake.worker.id=${INDEX}", "--INDEX=9")) {
            assertThat(context.getBean(SnowflakeIdGenerator.class).lease()).isEmpty();
        }
    }

    @Test
    void generatorThatDoesNotExistFailsStartup(CapturedOutput output) {
        assertThatThrownBy(() -> run(WrongShop.class)).isNotNull();

        assertThat(output)
                .contains("APPLICATION FAILED TO START")
                .contains(
                        "Attribute 'id' of io.github.snowflakeid.it.unknownmongogenerator.MongoInvoice refers to generator 'invoices', which does not exist; existing generators: 'default', 'deliveries'.");
    }

    @EnableAutoConfiguration
    @AutoConfigurationPackage(basePackageClasses = MongoInvoice.class)
    static class WrongShop {}

    @Test
    void withoutAGeneratorDocumentsWithIdsAreSaved() {
        try (ConfigurableApplicationContext context = run(MongoShop.class, "--snowflake.enabled=false")) {
            MongoTicketRepository tickets = context.getBean(MongoTicketRepository.class);
            assertThat(tickets.save(new MongoTicket(4714L, "imported")).id()).isEqualTo(4714);
            assertThatExceptionOfType(ConfigurationException.class)
                    .isThrownBy(() -> tickets.save(new MongoTicket(null, "Hamlet")))
                    .withMessageEndingWith("there is no IdGenerator bean");
        }
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                OfWrongType.class,
                NotMapped.class,
                NotWritten.class,
                Final.class,
                LostInCopies.class,
                NotMarked.class,
                OfMarkedValue.class
            })
    void attributeThatCannotGetIdsIsRejected(Class<?> type) throws Exception {
        Object document = type.getDeclaredConstructor().newInstance();
        String expected = (String) type.getDeclaredField("EXPECTED").get(null);

        assertThatExceptionOfType(ConfigurationException.class)
                .isThrownBy(() -> template.save(document))
                .withMessage("Attribute 'id' of " + type.getName() + expected);
    }

    /** Parts that hold objects with IDs must be replaceable as well. */
    @Test
    void partThatCannotBeReplacedIsRejected() {
        assertThatExceptionOfType(ConfigurationException.class)
                .isThrownBy(() -> template.save(new Whole(List.of(new Part(null)))))
                .withMessage(
                        "Attribute 'parts' of %s cannot get a Snowflake ID: it is final, and 'id' is not a constructor parameter",
                        Whole.class.getName());
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

    record Unmarked(Long value) {}

    static class NotMarked {
        static final String EXPECTED =
                " cannot get a Snowflake ID: MongoDB would store " + Unmarked.class.getName() + " as an object";

        @Id
        @SnowflakeId
        Unmarked id;
    }

    record MarkedValue(@PublicId("order") Long value) {}

    static class OfMarkedValue {
        static final String EXPECTED = " is no ID: the annotation is on 'value' of " + MarkedValue.class.getName()
                + ", which makes only that attribute an ID, not its class";

        @Id
        MarkedValue id;
    }
}
