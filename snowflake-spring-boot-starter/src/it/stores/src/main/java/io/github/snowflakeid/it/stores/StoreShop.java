package io.github.snowflakeid.it.stores;

import io.github.snowflakeid.IdGenerator;
import io.github.snowflakeid.SnowflakeException;
import io.github.snowflakeid.SnowflakeIdGenerator;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.ExponentialBackoffRetry;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;

@SpringBootApplication
public class StoreShop {

    /** Created when it is first needed, so that Spring alone would close it before the generators. */
    @Lazy
    @Bean(initMethod = "start", destroyMethod = "close")
    @ConditionalOnProperty("shop.zookeeper")
    CuratorFramework zooKeeper(@Value("${shop.zookeeper}") String servers) {
        return CuratorFrameworkFactory.newClient(servers, new ExponentialBackoffRetry(100, 3));
    }

    @Bean
    LastOrder lastOrder(IdGenerator ids) {
        return new LastOrder(ids);
    }

    /** Prints the IDs of each generator, until it is killed. */
    public static void main(String[] args) {
        SpringApplication.run(StoreShop.class, args)
                .getBeansOfType(SnowflakeIdGenerator.class)
                .values()
                .forEach(ids -> new Thread(() -> sell(ids)).start());
    }

    private static void sell(SnowflakeIdGenerator ids) {
        while (true) {
            try {
                System.out.println(LongStream.of(ids.nextIds(20))
                        .mapToObj(Long::toString)
                        .collect(Collectors.joining(" ", "sold '" + ids.name() + "' ", " end")));
            } catch (SnowflakeException e) {
                System.out.println("refused '" + ids.name() + "' " + e);
            }
            LockSupport.parkNanos(5_000_000);
        }
    }
}
