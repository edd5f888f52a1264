package io.github.snowflakeid.it.datar2dbc;

import io.github.snowflakeid.it.common.ConcurrentInserts;
import io.github.snowflakeid.it.common.KilledProcessCheck;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.sql.Connection;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

// Slow: starts two processes and kills one of them.
@Tag("full")
@Tag("processes")
class R2dbcProcessTests {

    @Test
    void noCommittedRowIsLostOrHasTheIdOfAnotherWhenAProcessIsKilled() throws Exception {
        try (EmbeddedPostgres postgres = EmbeddedPostgres.builder()
                        .setPGStartupWait(Duration.ofMinutes(1))
                        .start();
                Connection connection = postgres.getPostgresDatabase().getConnection()) {
            KilledProcessCheck.run(
                    InsertingProcess.class,
                    List.of(
                            "--spring.r2dbc.url=r2dbc:postgresql://localhost:" + postgres.getPort() + "/postgres",
                            "--spring.r2dbc.username=postgres",
                            "--snowflake.worker.jdbc.url=" + postgres.getJdbcUrl("postgres", "postgres"),
                            "--snowflake.worker.jdbc.username=postgres"),
                    connection,
                    "select id from ticket");
        }
    }

    static final class InsertingProcess {

        public static void main(String[] args) throws Exception {
            ConcurrentInserts.save(R2dbcShop.class, args, context -> {
                TicketRepository tickets = context.getBean(TicketRepository.class);
                return count -> tickets.saveAll(Collections.nCopies(count, new Ticket(null, "seat")))
                        .map(Ticket::id)
                        .collectList()
                        .block();
            });
        }
    }
}
