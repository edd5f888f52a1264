package io.github.snowflakeid.it.mybatis;

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
class MyBatisProcessTests {

    @Test
    void noCommittedRowIsLostOrHasTheIdOfAnotherWhenAProcessIsKilled() throws Exception {
        KilledProcessCheck.run(InsertingProcess.class, "select id from purchase");
    }

    static final class InsertingProcess {

        public static void main(String[] args) throws Exception {
            ConcurrentInserts.save(MyBatisShop.class, args, context -> {
                MyBatisPurchaseMapper purchases = context.getBean(MyBatisPurchaseMapper.class);
                return count -> {
                    List<MyBatisPurchase> batch = Stream.generate(() -> new MyBatisPurchase("Ada"))
                            .limit(count)
                            .collect(Collectors.toList());
                    purchases.insertAll(batch);
                    return batch.stream().map(MyBatisPurchase::getId).collect(Collectors.toList());
                };
            });
        }
    }
}
