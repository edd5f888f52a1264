package io.github.snowflakeid.it.datar2dbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.snowflakeid.SnowflakeId;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.data.annotation.Id;
import org.springframework.data.annotation.Version;
import org.springframework.data.r2dbc.core.R2dbcEntityTemplate;
import org.springframework.data.r2dbc.repository.support.R2dbcRepositoryFactory;
import org.springframework.data.relational.core.mapping.Table;
import org.springframework.data.repository.reactive.ReactiveCrudRepository;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Flux;

/** Objects whose rows the database has rejected or rolled back, and that are saved again. */
@SpringBootTest(
        properties = {
            "spring.r2dbc.url=r2dbc:h2:mem:///unsaved;DB_CLOSE_DELAY=-1",
            "snowflake.worker.jdbc.url=jdbc:h2:mem:unsaved;DB_CLOSE_DELAY=-1"
        })
class R2dbcUnsavedRowTests {

    @Autowired
    private R2dbcEntityTemplate template;

    @Autowired
    private TransactionalOperator transaction;

    private ReactiveCrudRepository<Reading, Long> readings;

    @BeforeEach
    void deleteRows() {
        readings = new R2dbcRepositoryFactory(template).getRepository(Readings.class);
        template.delete(Reading.class).all().block();
    }

    @Test
    void rejectedObjectIsInsertedWhenItIsSavedAgain() {
        Reading reading = new Reading(-1);
        assertRejected(
                () -> readings.save(reading).as(transaction::transactional).block());

        assertThat(reading.id).isNull();
        reading.amount = 7;
        readings.save(reading).as(transaction::transactional).block();

        assertThat(amounts()).containsExactly(7);
    }

    @Test
    void rejectedObjectIsInsertedWhenItIsSavedAgainWithoutATransaction() {
        Reading reading = new Reading(-1);
        assertRejected(() -> readings.save(reading).block());
        long id = reading.id;

        reading.amount = 7;
        transaction
                .execute(status -> {
                    status.setRollbackOnly();
                    return readings.save(reading);
                })
                .blockLast();
        readings.save(reading).block();

        assertThat(reading.id).isEqualTo(id);
        assertThat(amounts()).containsExactly(7);
    }

    @Test
    void rowsOfAChunkAreInsertedOneByOneAfterTheChunkWasRejected() {
        List<Reading> chunk = List.of(new Reading(1), new Reading(2), new Reading(-3), new Reading(4));
        assertRejected(
                () -> readings.saveAll(chunk).as(transaction::transactional).blockLast());

        Flux.fromIterable(chunk)
                .filter(reading -> reading.amount > 0)
                .concatMap(reading -> readings.save(reading).as(transaction::transactional))
                .blockLast();

        assertThat(amounts()).containsExactly(1, 2, 4);
    }

    @Test
    void objectsOfATransactionThatIsRolledBackAreInsertedWhenTheyAreSavedAgain() {
        Versioned versioned = new Versioned();
        Fixed fixed = template.insert(versioned)
                .then(template.insert(new Fixed(null, 2)))
                .as(mono -> transaction.execute(status -> {
                    status.setRollbackOnly();
                    return mono;
                }))
                .blockLast();

        assertThat(versioned.id).isNull();
        assertThat(versioned.version).isNull();
        template.insert(versioned).block();
        template.update(fixed).block();

        assertThat(amounts()).containsExactly(1, 2);
    }

    @Test
    void rowThatWasDeletedAfterTheCommitIsNotInsertedAgain() {
        Reading reading =
                readings.save(new Reading(1)).as(transaction::transactional).block();
        readings.deleteAll().block();

        assertThatExceptionOfType(RuntimeException.class)
                .isThrownBy(() -> readings.save(reading).block())
                .withMessageContaining("was not saved");
    }

    private static void assertRejected(ThrowingCallable save) {
        assertThatExceptionOfType(DataIntegrityViolationException.class).isThrownBy(save);
    }

    private List<Integer> amounts() {
        return template.getDatabaseClient()
                .sql("select amount from reading order by 1")
                .mapValue(Integer.class)
                .all()
                .collectList()
                .block();
    }

    interface Readings extends ReactiveCrudRepository<Reading, Long> {}

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

    @Table("READING")
    static class Versioned {

        @Id
        @SnowflakeId
        Long id;

        @Version
        Long version;

        int amount = 1;
    }

    @Table("READING")
    record Fixed(@Id @SnowflakeId Long id, int amount) {}
}
