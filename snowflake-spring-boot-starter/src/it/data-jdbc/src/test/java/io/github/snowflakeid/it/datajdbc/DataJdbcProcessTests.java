package io.github.snowflakeid.it.datajdbc;

import io.github.snowflakeid.it.common.ConcurrentInserts;
import io.github.snowflakeid.it.common.KilledProcessCheck;
import java.util.Collections;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

// Slow: starts two processes and kills one of them.
@Tag("full")
@Tag("processes")
class DataJdbcProcessTests {

    @Test
    void noCommittedRowIsLostOrHasTheIdOfAnotherWhenAProcessIsKilled() throws Exception {
        KilledProcessCheck.run(InsertingProcess.class, "select id from ticket");
    }

    static final class InsertingProcess {

        public static void main(String[] args) throws Exception {
            ConcurrentInserts.save(DataJdbcShop.class, args, context -> {
                DataJdbcTicketRepository tickets = context.getBean(DataJdbcTicketRepository.class);
                return count -> tickets.saveAll(Collections.nCopies(count, new DataJdbcTicket(null, "seat"))).stream()
                        .map(DataJdbcTicket::id)
                        .collect(Collectors.toList());
            });
        }
    }
}
