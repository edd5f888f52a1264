package io.github.snowflakeid.it.mybatisplus;

import io.github.snowflakeid.it.common.ConcurrentInserts;
import io.github.snowflakeid.it.common.KilledProcessCheck;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

// Slow: starts two processes and kills one of them.
@Tag("full")
@Tag("processes")
class MyBatisPlusProcessTests {

    @Test
    void noCommittedRowIsLostOrHasTheIdOfAnotherWhenAProcessIsKilled() throws Exception {
        KilledProcessCheck.run(InsertingProcess.class, "select id from purchase");
    }

    static final class InsertingProcess {

        public static void main(String[] args) throws Exception {
            ConcurrentInserts.save(MyBatisPlusShop.class, args, context -> {
                PurchaseService purchases = context.getBean(PurchaseService.class);
                return count -> {
                    List<MyBatisPlusPurchase> batch = Stream.generate(() -> new MyBatisPlusPurchase("Ada"))
                            .limit(count)
                            .collect(Collectors.toList());
                    purchases.saveBatch(batch);
                    return batch.stream().map(MyBatisPlusPurchase::getId).collect(Collectors.toList());
                };
            });
        }
    }
}
