package io.github.snowflakeid.it.datar2dbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.springframework.data.relational.core.query.Criteria.where;
import static org.springframework.data.relational.core.query.Query.query;

import io.r2dbc.spi.ConnectionFactory;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.dao.IncorrectUpdateSemanticsDataAccessException;
import org.springframework.dao.OptimisticLockingFailureException;
import org.springframework.data.annotation.Id;
import org.springframework.data.r2dbc.convert.R2dbcConverter;
import org.springframework.data.r2dbc.core.R2dbcEntityTemplate;
import org.springframework.data.r2dbc.dialect.DialectResolver;
import org.springframework.data.r2dbc.mapping.event.AfterSaveCallback;
import org.springframework.data.r2dbc.mapping.event.BeforeSaveCallback;
import org.springframework.data.relational.core.query.Query;
import org.springframework.data.relational.core.query.Update;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Updates of rows that do not exist. */
@SpringBootTest
class R2dbcUpdateTests {

    @Autowired
    private TicketRepository tickets;

    @Autowired
    private R2dbcEntityTemplate template;

    @Test
    void rowWhoseIdWasSetByHandIsNotLostInSilence() {
        assertNotSaved(() -> tickets.save(new Ticket(4711L, "lost")).block());
        assertNotSaved(() -> template.update(new Ticket(4711L, "lost")).block());

        assertThat(tickets.existsById(4711L).block()).isFalse();
    }

    private static void assertNotSaved(ThrowingCallable save) {
        assertThatExceptionOfType(IncorrectUpdateSemanticsDataAccessException.class)
                .isThrownBy(save)
                .withMessage(
                        "io.github.snowflakeid.it.datar2dbc.Ticket with ID 4711 was not saved: Spring Data updates objects whose ID is set, but there is no such row. To insert a new row, leave 'id' unset so that @SnowflakeId sets it, or call R2dbcEntityTemplate.insert");
    }

    @Test
    void whatIsAdvisedWorks() {
        Ticket made = tickets.save(new Ticket(null, "made")).block();
        template.insert(new Ticket(4712L, "imported")).block();

        assertThat(tickets.findById(made.id()).block().title()).isEqualTo("made");
        assertThat(tickets.findById(4712L).block().title()).isEqualTo("imported");
    }

    @Test
    void entityWithoutAnnotationIsLeftToSpringData() {
        template.update(new Plain(4711L, "lost")).block();

        assertThat(template.select(Plain.class).count().block()).isZero();
    }

    record Plain(@Id Long id, String name) {}

    @Test
    void updateByAQueryMayChangeNothing() {
        Query nobody = query(where("id").is(4711L));
        Update title = Update.update("title", "found");

        assertThat(template.update(nobody, title, Ticket.class).block()).isZero();
        assertThat(template.update(Ticket.class).matching(nobody).apply(title).block())
                .isZero();
    }

    @Test
    void staleVersionIsStillSpringDatasError(@Autowired ImportRepository imports) {
        Import saved = imports.save(new Import(4713L, null)).block();
        imports.save(saved).block();

        assertThatExceptionOfType(OptimisticLockingFailureException.class)
                .isThrownBy(() -> imports.save(saved).block());
    }

    @Test
    void transactionOfTheUpdateIsRolledBack(@Autowired TransactionalOperator transactions) {
        List<Ticket> saved = new ArrayList<>();

        assertNotSaved(() -> tickets.save(new Ticket(null, "beside it"))
                .doOnNext(saved::add)
                .then(tickets.save(new Ticket(4711L, "lost")))
                .as(transactions::transactional)
                .block());

        assertThat(saved).hasSize(1);
        assertThat(tickets.existsById(saved.get(0).id()).block()).isFalse();
    }

    @Test
    void rowThatTheTransactionHasInsertedExists(@Autowired TransactionalOperator transactions) {
        Ticket saved = tickets.save(new Ticket(null, "draft"))
                .flatMap(draft -> tickets.save(new Ticket(draft.id(), "clean")))
                .as(transactions::transactional)
                .block();

        assertThat(tickets.findById(saved.id()).block().title()).isEqualTo("clean");
    }

    @Test
    void ofManyUpdatesAtOnceEachHasItsOwnRows() {
        List<Ticket> all = tickets.saveAll(Flux.range(0, 50).map(seat -> new Ticket(null, "seat " + seat)))
                .collectList()
                .block();

        List<String> outcomes = Flux.fromIterable(all)
                .flatMap(
                        ticket -> Flux.just(ticket, new Ticket(-ticket.id(), "lost"))
                                .flatMap(each -> tickets.save(each)
                                        .map(saved -> saved.id() > 0 ? "saved" : "lost")
                                        .onErrorReturn(IncorrectUpdateSemanticsDataAccessException.class, "refused")),
                        8)
                .collectList()
                .block();

        assertThat(outcomes).hasSize(100).doesNotContain("lost");
        assertThat(outcomes.stream().filter("saved"::equals)).hasSize(50);
    }

    @Test
    void statementsOfCallbacksDoNotCountAndNoneIsCalledForAMissingRow() {
        try (ConfigurableApplicationContext context = start(Callbacks.class)) {
            TicketRepository itsTickets = context.getBean(TicketRepository.class);
            Ticket saved = itsTickets.save(new Ticket(null, "Hamlet")).block();
            Callbacks callbacks = context.getBean(Callbacks.class);
            callbacks.afterSave = 0;

            assertNotSaved(() -> itsTickets.save(new Ticket(4711L, "lost")).block());
            assertThat(callbacks.afterSave).isZero();

            itsTickets.save(new Ticket(saved.id(), "Macbeth")).block();
            assertThat(callbacks.afterSave).isOne();
        }
    }

    static class Callbacks {

        private int afterSave;

        @Bean
        BeforeSaveCallback<Ticket> updatesAllTickets(DatabaseClient client) {
            return (ticket, row, table) -> client.sql("update ticket set title = 'sold'")
                    .fetch()
                    .rowsUpdated()
                    .thenReturn(ticket);
        }

        @Bean
        AfterSaveCallback<Ticket> counts() {
            return (ticket, row, table) -> {
                afterSave++;
                return Mono.just(ticket);
            };
        }
    }

    @Test
    void templateOfTheApplicationLooksForTheRowOfAnUpdateOnly() {
        try (ConfigurableApplicationContext context = start(OwnTemplate.class)) {
            TicketRepository itsTickets = context.getBean(TicketRepository.class);
            OwnTemplate.Watched own = context.getBean(OwnTemplate.Watched.class);
            itsTickets.save(new Ticket(null, "Hamlet")).block();
            assertThat(own.looked()).isZero();

            assertNotSaved(() -> itsTickets.save(new Ticket(4711L, "lost")).block());
            assertThat(own.looked()).isOne();
        }
    }

    static class OwnTemplate {

        @Bean
        Watched r2dbcEntityTemplate(DatabaseClient client, R2dbcConverter converter) {
            return new Watched(client, converter);
        }

        static class Watched extends R2dbcEntityTemplate {

            private int looked;

            Watched(DatabaseClient client, R2dbcConverter converter) {
                super(client, DialectResolver.getDialect(client.getConnectionFactory()), converter);
            }

            int looked() {
                return looked;
            }

            @Override
            public Mono<Boolean> exists(Query query, Class<?> entityClass) {
                looked++;
                return super.exists(query, entityClass);
            }
        }
    }

    @Test
    void severalTemplatesAreLeftToSpringData() {
        try (ConfigurableApplicationContext context = start(SecondTemplate.class)) {
            TicketRepository itsTickets = context.getBean(TicketRepository.class);

            itsTickets.save(new Ticket(4711L, "lost")).block();

            assertThat(itsTickets.existsById(4711L).block()).isFalse();
        }
    }

    static class SecondTemplate {

        @Bean
        R2dbcEntityTemplate r2dbcEntityTemplate(ConnectionFactory database) {
            return new R2dbcEntityTemplate(database);
        }

        @Bean
        R2dbcEntityTemplate secondTemplate(ConnectionFactory database) {
            return new R2dbcEntityTemplate(database);
        }
    }

    private static ConfigurableApplicationContext start(Class<?> application) {
        return new SpringApplication(R2dbcShop.class, application)
                .run("--spring.r2dbc.url=r2dbc:h2:mem:///" + application.getSimpleName() + ";DB_CLOSE_DELAY=-1");
    }
}
