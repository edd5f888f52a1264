package io.github.snowflakeid.it;

import io.github.snowflakeid.it.common.ConcurrentInserts;
import io.github.snowflakeid.it.common.KilledProcessCheck;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
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
                Purchases purchases = context.getBean(Purchases.class);
                return count -> {
                    List<Purchase> batch = Stream.generate(() -> new Purchase("Ada"))
                            .limit(count)
                            .collect(Collectors.toList());
                    purchases.saveBatch(batch);
                    return batch.stream().map(Purchase::getId).collect(Collectors.toList());
                };
            });
        }
    }
}
