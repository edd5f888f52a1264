package io.github.snowflakeid.it.datar2dbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.snowflakeid.IdGenerator;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.dao.IncorrectUpdateSemanticsDataAccessException;
import reactor.blockhound.BlockHound;
import reactor.blockhound.BlockingOperationError;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Uses a real server, whose driver has an event loop, and a generator that can generate 200 IDs a second. */
// Slow: starts another JVM with BlockHound.
@Tag("full")
class EventLoopTests {

    private static final int TICKETS = 500;

    @Test
    void noThreadOfAnEventLoopWaitsForAnId() throws Exception {
        try (EmbeddedPostgres postgres = EmbeddedPostgres.builder()
                        .setPGStartupWait(Duration.ofMinutes(1))
                        .start();
                ConfigurableApplicationContext context = SpringApplication.run(
                        R2dbcShop.class,
                        "--spring.r2dbc.url=r2dbc:postgresql://localhost:" + postgres.getPort() + "/postgres",
                        "--spring.r2dbc.username=postgres",
                        "--spring.r2dbc.password=postgres",
                        "--snowflake.worker.jdbc.url=" + postgres.getJdbcUrl("postgres", "postgres"),
                        "--snowflake.worker.jdbc.username=postgres",
                        "--snowflake.worker.jdbc.initialize-schema=always",
                        "--snowflake.tick=10ms",
                        "--snowflake.bits.sequence=1",
                        "--snowflake.clock.max-drift=0s",
                        "--snowflake.clock.max-wait=1m")) {
            TicketRepository tickets = context.getBean(TicketRepository.class);
            IdGenerator ids = context.getBean(IdGenerator.class);
            BlockHound.install();
            Set<String> threads = ConcurrentHashMap.newKeySet();

            List<Ticket> saved = Flux.range(0, TICKETS)
                    .flatMap(
                            seat -> Mono.defer(() -> {
                                        threads.add(Thread.currentThread().getName());
                                        return tickets.save(new Ticket(null, "seat " + seat));
                                    })
                                    .subscribeOn(Schedulers.parallel()),
                            16)
                    .collectList()
                    .block();

            assertThat(saved.stream().map(Ticket::id).collect(Collectors.toSet()))
                    .hasSize(TICKETS);
            assertThat(tickets.count().block()).isEqualTo(TICKETS);
            assertThat(threads).allMatch(thread -> thread.startsWith("parallel-"));
            Ticket first = saved.get(0);
            assertThat(tickets.save(new Ticket(first.id(), "sold"))
                            .thenMany(tickets.findById(first.id()))
                            .map(Ticket::title)
                            .subscribeOn(Schedulers.parallel())
                            .blockLast())
                    .isEqualTo("sold");
            assertThatExceptionOfType(IncorrectUpdateSemanticsDataAccessException.class)
                    .isThrownBy(() -> tickets.save(new Ticket(4711L, "lost"))
                            .subscribeOn(Schedulers.parallel())
                            .block())
                    .withMessageStartingWith("io.github.snowflakeid.it.datar2dbc.Ticket with ID 4711 was not saved");
            // BlockHound detects threads that wait there: this generator makes callers wait.
            assertThatExceptionOfType(RuntimeException.class)
                    .isThrownBy(() -> Mono.fromSupplier(() -> ids.nextIds(20))
                            .subscribeOn(Schedulers.parallel())
                            .block())
                    .havingRootCause()
                    .isInstanceOf(BlockingOperationError.class);
        }
    }
}
