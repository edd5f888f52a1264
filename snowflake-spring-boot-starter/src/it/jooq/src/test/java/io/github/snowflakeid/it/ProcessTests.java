package io.github.snowflakeid.it;

import java.util.Collections;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class ProcessTests {

    @Test
    void noCommittedRowIsLostOrHasTheIdOfAnotherWhenAProcessIsKilled() throws Exception {
        TwoProcesses.check(Selling.class, "select id from purchase");
    }

    static final class Selling {

        public static void main(String[] args) throws Exception {
            EightThreads.save(Shop.class, args, context -> {
                JooqPurchases purchases = context.getBean(JooqPurchases.class);
                return count -> purchases.insertAll(Collections.nCopies(count, "Ada"));
            });
        }
    }
}
