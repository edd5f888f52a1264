package io.github.snowflakeid.it.jooq;

import io.github.snowflakeid.it.common.ConcurrentInserts;
import io.github.snowflakeid.it.common.KilledProcessCheck;
import java.util.Collections;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

// Slow: starts two processes and kills one of them.
@Tag("full")
@Tag("processes")
class JooqProcessTests {

    @Test
    void noCommittedRowIsLostOrHasTheIdOfAnotherWhenAProcessIsKilled() throws Exception {
        KilledProcessCheck.run(InsertingProcess.class, "select id from purchase");
    }

    static final class InsertingProcess {

        public static void main(String[] args) throws Exception {
            ConcurrentInserts.save(JooqShop.class, args, context -> {
                JooqPurchases purchases = context.getBean(JooqPurchases.class);
                return count -> purchases.insertAll(Collections.nCopies(count, "Ada"));
            });
        }
    }
}
