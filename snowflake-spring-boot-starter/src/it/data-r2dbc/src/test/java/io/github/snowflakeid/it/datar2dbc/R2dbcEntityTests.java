package io.github.snowflakeid.it.datar2dbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.snowflakeid.SnowflakeId;
import io.github.snowflakeid.SnowflakeIdGenerator;
import io.github.snowflakeid.failure.ConfigurationException;
import io.github.snowflakeid.text.IdFormat;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.ApplicationContext;
import org.springframework.data.annotation.Id;
import org.springframework.data.r2dbc.core.R2dbcEntityTemplate;

@SpringBootTest
class R2dbcEntityTests {

    @Autowired
    private TicketRepository tickets;

    @Autowired
    private R2dbcEntityTemplate template;

    @Test
    void workerIdIsLeasedByAConnectionOfTheLeasesOwn(
            @Autowired ApplicationContext context, @Autowired SnowflakeIdGenerator generator) {
        assertThat(context.getBeansOfType(DataSource.class)).isEmpty();
        assertThat(generator.lease()).isPresent();
    }

    @Test
    void rowOfARecordIsInsertedWithAnIdAndUpdatedLater() {
        Ticket saved = tickets.save(new Ticket(null, "Hamlet")).block();
        tickets.save(new Ticket(saved.id(), "Macbeth")).block();

        assertThat(tickets.findById(saved.id()).block().title()).isEqualTo("Macbeth");
    }

    @Test
    void manyAreSavedAtOnce() {
        List<Ticket> saved = tickets.saveAll(IntStream.range(0, 100)
                        .mapToObj(seat -> new Ticket(null, "seat"))
                        .collect(Collectors.toList()))
                .collectList()
                .block();

        assertThat(saved).extracting(Ticket::id).doesNotContainNull().doesNotHaveDuplicates();
    }

    @Test
    void severalColumnsGetIdsOfSeveralTypesAndGenerators() {
        Account saved = template.insert(new Account()).block();

        assertThat(saved.getNumber()).isGreaterThan(IdFormat.CROCKFORD.parse(saved.id()));
        assertThat(saved.legacy()).isLessThan(1L << 53);
    }

    @Test
    void zeroIsNoIdInAPrimitive() {
        Counter saved = template.insert(new Counter("visits")).block();
        saved.name = "visitors";
        template.update(saved).block();

        assertThat(saved.id).isPositive();
    }

    /** The statement of docs/spring-data.md. */
    @Test
    void insertIsSubscribedTo(@Autowired R2dbcEntityTemplate r2dbcEntityTemplate) throws InterruptedException {
        r2dbcEntityTemplate.insert(new Ticket(4711L, "imported")).subscribe();

        for (int i = 0; i < 1000 && tickets.findById(4711L).block() == null; i++) {
            Thread.sleep(10);
        }
        assertThat(tickets.findById(4711L).block()).isEqualTo(new Ticket(4711L, "imported"));
    }

    @Test
    void insertKeepsAnIdThatIsSet() {
        assertThat(template.insert(new Ticket(17L, "imported")).block().id()).isEqualTo(17);
    }

    @Test
    void rowWhoseIdWasSetByHandIsInsertedIfItHasAVersion(@Autowired ImportRepository imports) {
        imports.save(new Import(4711L, null)).block();

        assertThat(imports.findById(4711L).block()).isEqualTo(new Import(4711L, 0L));
    }

    @Test
    void attributeThatCannotGetIdsIsRejected() {
        assertThatExceptionOfType(ConfigurationException.class)
                .isThrownBy(() -> template.insert(new Wrong()).block())
                .withMessage(
                        "Attribute 'id' of io.github.snowflakeid.it.datar2dbc.R2dbcEntityTests$Wrong must be a Long, a long, a String or a BigInteger to hold a Snowflake ID, but is a java.lang.Integer");
    }

    static class Wrong {

        @Id
        @SnowflakeId
        Integer id;
    }
}
