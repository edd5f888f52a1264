package io.github.snowflakeid.it.datajdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.snowflakeid.SnowflakeId;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.core.PriorityOrdered;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.data.annotation.Id;
import org.springframework.data.annotation.PersistenceCreator;
import org.springframework.data.annotation.Transient;
import org.springframework.data.annotation.Version;
import org.springframework.data.domain.Persistable;
import org.springframework.data.jdbc.core.JdbcAggregateTemplate;
import org.springframework.data.jdbc.core.convert.DataAccessStrategy;
import org.springframework.data.jdbc.core.convert.DelegatingDataAccessStrategy;
import org.springframework.data.jdbc.core.convert.Identifier;
import org.springframework.data.jdbc.repository.config.EnableJdbcRepositories;
import org.springframework.data.relational.core.conversion.IdValueSource;
import org.springframework.data.relational.core.mapping.Table;
import org.springframework.data.repository.ListCrudRepository;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionSystemException;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionTemplate;

/** Objects whose rows the database has rejected or rolled back, and that are saved again. */
@SpringBootTest(
        classes = {DataJdbcShop.class, UnsavedRowTests.Repositories.class},
        properties = "spring.datasource.url=jdbc:h2:mem:unsaved")
class UnsavedRowTests {

    @Autowired
    private Readings readings;

    @Autowired
    private JdbcAggregateTemplate template;

    @Autowired
    private TransactionTemplate transaction;

    @Autowired
    private JdbcTemplate jdbc;

    @BeforeEach
    void deleteRows() {
        jdbc.update("delete from reading");
    }

    @Test
    void rejectedObjectIsInsertedWhenItIsSavedAgain() {
        assertSavedAgain(readings::save);
        assertSavedAgain(template::save);
        assertSavedAgain(reading -> transaction.executeWithoutResult(status -> readings.saveAll(List.of(reading))));

        assertThat(amounts()).containsExactly(7, 7, 7);
    }

    private static void assertSavedAgain(Consumer<Reading> save) {
        Reading reading = new Reading(-1);
        assertThatThrownBy(() -> save.accept(reading)).hasStackTraceContaining("23513");

        assertThat(reading.id).isNull();
        reading.amount = 7;
        save.accept(reading);
    }

    /** As a step of Spring Batch does that skips rows. */
    @Test
    void rowsOfAChunkAreInsertedOneByOneAfterTheChunkWasRejected() {
        List<Reading> chunk = Stream.of(1, 2, -3, 4, 5).map(Reading::new).toList();
        assertRejected(() -> readings.saveAll(chunk));

        chunk.stream().filter(reading -> reading.amount > 0).forEach(readings::save);

        assertThat(amounts()).containsExactly(1, 2, 4, 5);
    }

    @Test
    void rowsOfABatchWithoutATransactionAreNeitherLostNorInsertedTwice() {
        List<Reading> chunk = Stream.of(1, 2, -3, 4, 5).map(Reading::new).toList();
        assertRejected(() -> template.saveAll(chunk));

        chunk.stream().filter(reading -> reading.amount > 0).forEach(template::save);

        assertThat(amounts()).containsExactly(1, 2, 4, 5);
    }

    @Test
    void objectsOfATransactionThatIsRolledBackAreInsertedWhenTheyAreSavedAgain() {
        Reading reading = new Reading(1);
        Versioned versioned = new Versioned(2);
        Counted counted = new Counted(3);
        Fixed[] fixed = new Fixed[1];
        transaction.executeWithoutResult(status -> {
            template.saveAll(List.of(reading));
            template.save(versioned);
            versioned.amount = 4;
            template.save(versioned);
            template.save(counted);
            fixed[0] = template.save(new Fixed(null, 5));
            status.setRollbackOnly();
        });

        assertThat(reading.id).isNull();
        assertThat(versioned.id).isNull();
        assertThat(versioned.version).isNull();
        assertThat(counted.id).isZero();
        template.save(reading);
        template.save(versioned);
        template.save(counted);
        assertThat(template.save(fixed[0])).isEqualTo(fixed[0]);

        assertThat(amounts()).containsExactly(1, 3, 4, 5);
    }

    @Test
    void objectsOfANestedTransactionThatIsRolledBackAreInsertedWhenTheyAreSavedAgain() {
        TransactionTemplate nested = new TransactionTemplate(transaction.getTransactionManager());
        nested.setPropagationBehavior(TransactionDefinition.PROPAGATION_NESTED);
        Reading before = new Reading(1);
        Reading inside = new Reading(2);
        transaction.executeWithoutResult(status -> {
            readings.save(before);
            nested.executeWithoutResult(savepoint -> {
                readings.save(inside);
                savepoint.setRollbackOnly();
            });
            readings.save(before);
            readings.save(inside);
        });

        assertThat(amounts()).containsExactly(1, 2);
    }

    @Test
    void objectThatDecidesItselfWhetherItIsNewIsInsertedWhenItIsSavedAgain() {
        Flagged rejected = new Flagged(-1);
        assertRejected(() -> template.save(rejected));
        rejected.amount = 1;
        Flagged rolledBack = new Flagged(2);
        transaction.executeWithoutResult(status -> {
            template.save(rolledBack);
            rolledBack.isSaved = true;
            status.setRollbackOnly();
        });

        template.save(rejected);
        template.save(rolledBack);

        assertThat(amounts()).containsExactly(1, 2);
    }

    @Test
    void idThatTheApplicationHasSetIsNotForgotten() {
        Reading reading = new Reading(-1);
        reading.id = 4711L;
        assertRejected(() -> template.insert(reading));

        assertThat(reading.id).isEqualTo(4711);
    }

    @Test
    void rowThatWasDeletedAfterTheCommitIsNotInsertedAgain() {
        Reading reading = readings.save(new Reading(1));
        readings.deleteAll();

        assertThatThrownBy(() -> readings.save(reading)).hasStackTraceContaining("was not saved");
    }

    @Test
    void idIsKeptIfTheOutcomeIsUnknown() {
        try (ConfigurableApplicationContext context = start(LostAnswer.class)) {
            JdbcAggregateTemplate itsTemplate = context.getBean(JdbcAggregateTemplate.class);
            Reading stored = new Reading(1);
            assertThatThrownBy(() -> itsTemplate.save(stored)).hasStackTraceContaining("no answer");
            long id = stored.id;

            assertRejected(() -> itsTemplate.insert(stored), "23505");
            context.getBean(TransactionTemplate.class).executeWithoutResult(status -> {
                itsTemplate.save(stored);
                status.setRollbackOnly();
            });
            itsTemplate.save(stored);

            assertThat(itsTemplate.findAll(Reading.class)).singleElement().matches(row -> row.id == id);
        }
    }

    static class LostAnswer {

        @Bean
        static Fault fault() {
            return new Fault();
        }

        static class Fault implements BeanPostProcessor, PriorityOrdered {

            @Override
            public int getOrder() {
                return HIGHEST_PRECEDENCE;
            }

            @Override
            public Object postProcessAfterInitialization(Object bean, String name) {
                return bean instanceof DataAccessStrategy strategy ? new Silent(strategy) : bean;
            }
        }

        static class Silent extends DelegatingDataAccessStrategy {

            Silent(DataAccessStrategy strategy) {
                super(strategy);
            }

            @Override
            public <T> Object insert(T row, Class<T> type, Identifier identifier, IdValueSource source) {
                super.insert(row, type, identifier, source);
                throw new DataAccessResourceFailureException("no answer");
            }
        }
    }

    @Test
    void idIsKeptIfACommitHasNoAnswerAndForgottenIfARollbackHasNone() {
        try (ConfigurableApplicationContext context = start(SilentManager.class)) {
            TransactionTemplate itsTransaction = context.getBean(TransactionTemplate.class);
            Readings itsReadings = context.getBean(Readings.class);
            Reading committed = new Reading(1);
            Reading rolledBack = new Reading(2);
            assertThatThrownBy(() -> itsTransaction.executeWithoutResult(status -> itsReadings.save(committed)))
                    .hasMessage("no answer");
            assertThatThrownBy(() -> itsTransaction.executeWithoutResult(status -> {
                        itsReadings.save(rolledBack);
                        status.setRollbackOnly();
                    }))
                    .hasMessage("no answer");

            assertThat(committed.id).isNotNull();
            assertThat(rolledBack.id).isNull();
        }
    }

    static class SilentManager {

        @Bean
        JdbcTransactionManager transactionManager(DataSource database) {
            return new JdbcTransactionManager(database) {

                private static final long serialVersionUID = 1L;

                @Override
                protected void doCommit(DefaultTransactionStatus status) {
                    super.doCommit(status);
                    throw new TransactionSystemException("no answer");
                }

                @Override
                protected void doRollback(DefaultTransactionStatus status) {
                    super.doRollback(status);
                    throw new TransactionSystemException("no answer");
                }
            };
        }
    }

    /** The transaction that is rolled back may belong to another database. */
    @Test
    void rowThatAnotherTransactionHasStoredIsUpdated() {
        for (Class<?> application : List.of(SecondManager.class, OtherManager.class)) {
            try (ConfigurableApplicationContext context = start(application)) {
                Readings itsReadings = context.getBean(Readings.class);
                Reading stored = new Reading(1);
                new TransactionTemplate(context.getBean(Manager.class)).executeWithoutResult(status -> {
                    itsReadings.save(stored);
                    status.setRollbackOnly();
                });

                itsReadings.save(stored);

                assertThat(itsReadings.findAll()).hasSize(1);
            }
        }
    }

    static class SecondManager {

        @Bean(defaultCandidate = false)
        Manager secondManager() {
            return new Manager();
        }
    }

    /** A queue's manager, for example, lets Boot configure none for the database. */
    static class OtherManager {

        @Bean
        Manager transactionManager() {
            return new Manager();
        }
    }

    static class Manager extends AbstractPlatformTransactionManager {

        private static final long serialVersionUID = 1L;

        @Override
        protected Object doGetTransaction() {
            return this;
        }

        @Override
        protected void doBegin(Object begun, TransactionDefinition definition) {}

        @Override
        protected void doCommit(DefaultTransactionStatus status) {}

        @Override
        protected void doRollback(DefaultTransactionStatus status) {}
    }

    private static ConfigurableApplicationContext start(Class<?> application) {
        return new SpringApplication(DataJdbcShop.class, Repositories.class, application)
                .run("--spring.datasource.url=jdbc:h2:mem:" + application.getSimpleName());
    }

    private static void assertRejected(ThrowingCallable save) {
        assertRejected(save, "23513");
    }

    private static void assertRejected(ThrowingCallable save, String error) {
        assertThatThrownBy(save).hasStackTraceContaining(error);
    }

    private List<Integer> amounts() {
        return jdbc.queryForList("select amount from reading order by 1", Integer.class);
    }

    @Table("READING")
    static class Reading {

        @Id
        @SnowflakeId
        Long id;

        int amount;

        Reading(int amount) {
            this.amount = amount;
        }
    }

    interface Readings extends ListCrudRepository<Reading, Long> {}

    /** An object that decides whether it is new. */
    @Table("READING")
    static class Flagged implements Persistable<Long> {

        @Id
        @SnowflakeId
        Long id;

        int amount;

        @Transient
        boolean isSaved;

        @PersistenceCreator
        Flagged(int amount) {
            this.amount = amount;
        }

        @Override
        public Long getId() {
            return id;
        }

        @Override
        public boolean isNew() {
            return !isSaved;
        }
    }

    @Table("READING")
    static class Versioned {

        @Id
        @SnowflakeId
        Long id;

        @Version
        Long version;

        int amount;

        Versioned(int amount) {
            this.amount = amount;
        }
    }

    @Table("READING")
    static class Counted {

        @Id
        @SnowflakeId
        long id;

        int amount;

        Counted(int amount) {
            this.amount = amount;
        }
    }

    @Table("READING")
    record Fixed(@Id @SnowflakeId Long id, int amount) {}

    @EnableJdbcRepositories(considerNestedRepositories = true, basePackageClasses = UnsavedRowTests.class)
    static class Repositories {}
}
