package io.github.snowflakeid.it;

import io.github.snowflakeid.it.common.ConcurrentInserts;
import io.github.snowflakeid.it.common.KilledProcessCheck;
import java.util.Collections;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class ProcessTests {

    @Test
    void noCommittedRowIsLostOrHasTheIdOfAnotherWhenAProcessIsKilled() throws Exception {
        KilledProcessCheck.run(Selling.class, "select id from purchase");
    }

    static final class Selling {

        public static void main(String[] args) throws Exception {
            ConcurrentInserts.save(Shop.class, args, context -> {
                JooqPurchases purchases = context.getBean(JooqPurchases.class);
                return count -> purchases.insertAll(Collections.nCopies(count, "Ada"));
            });
        }
    }
}
