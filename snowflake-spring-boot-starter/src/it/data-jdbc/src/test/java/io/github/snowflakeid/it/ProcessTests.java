package io.github.snowflakeid.it;

import io.github.snowflakeid.it.common.ConcurrentInserts;
import io.github.snowflakeid.it.common.KilledProcessCheck;
import java.util.Collections;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class ProcessTests {

    @Test
    void noCommittedRowIsLostOrHasTheIdOfAnotherWhenAProcessIsKilled() throws Exception {
        KilledProcessCheck.run(Selling.class, "select id from ticket");
    }

    static final class Selling {

        public static void main(String[] args) throws Exception {
            ConcurrentInserts.save(Shop.class, args, context -> {
                Tickets tickets = context.getBean(Tickets.class);
                return count -> tickets.saveAll(Collections.nCopies(count, new Ticket(null, "seat"))).stream()
                        .map(Ticket::id)
                        .collect(Collectors.toList());
            });
        }
    }
}
