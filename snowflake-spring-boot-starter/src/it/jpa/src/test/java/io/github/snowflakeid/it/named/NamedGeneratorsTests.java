package io.github.snowflakeid.it.named;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.snowflakeid.IdGenerator;
import io.github.snowflakeid.IdLayout;
import io.github.snowflakeid.SnowflakeIdGenerator;
import io.github.snowflakeid.WorkerLeaseExpiredException;
import io.github.snowflakeid.it.common.FreePort;
import jakarta.persistence.EntityManagerFactory;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.BooleanSupplier;
import javax.sql.DataSource;
import org.h2.tools.Server;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.BeanFactoryAnnotationUtils;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

class NamedGeneratorsTests {

    static final IdLayout ORDERS =
            IdLayout.DEFAULT.toBuilder().tick(Duration.ofMillis(10)).build();

    private static SnowflakeIdGenerator named(ConfigurableApplicationContext context, String name) {
        return (SnowflakeIdGenerator)
                BeanFactoryAnnotationUtils.qualifiedBeanOfType(context.getBeanFactory(), IdGenerator.class, name);
    }

    private static String memory(String database) {
        return "jdbc:h2:mem:" + database + ";DB_CLOSE_DELAY=-1";
    }

    @Test
    void everyColumnHasIdsOfItsGenerator() {
        Instant begin = Instant.now().minusSeconds(1);
        try (ConfigurableApplicationContext context = NamedShop.start(NamedShop.leasing(memory("columns")))) {
            JdbcTemplate database = new JdbcTemplate(context.getBean(DataSource.class));
            // The unnamed generator is leased as well before the first row is saved, because entities need it.
            assertThat(database.queryForList(
                            "select namespace from snowflake_worker where owner is not null order by 1", String.class))
                    .containsExactly("default", "orders", "tickets");

            List<NamedShop.Order> orders = NamedShop.save(context.getBean(EntityManagerFactory.class), 20);

            assertThat(orders).allSatisfy(order -> {
                assertThat(ORDERS.decode(order.id).timestamp()).isBetween(begin, Instant.now());
                assertThat(IdLayout.JAVASCRIPT_SAFE.decode(order.ticket).timestamp())
                        .isBetween(begin, Instant.now());
                assertThat(order.ticket).isLessThan(1L << 53);
            });
            assertThat(database.queryForList("select id from customers", Long.class))
                    .hasSize(20)
                    .allSatisfy(id ->
                            assertThat(IdLayout.DEFAULT.decode(id).timestamp()).isBetween(begin, Instant.now()));
        }
    }

    // Slow: waits for leases to expire.
    @Tag("full")
    @Test
    void otherGeneratorsContinueWhileTheRowsOfOneAreMissing() throws Exception {
        int port = FreePort.choose();
        Server server = Server.createTcpServer("-tcpPort", String.valueOf(port), "-ifNotExists")
                .start();
        String url = "jdbc:h2:tcp://localhost:" + port + "/mem:away;DB_CLOSE_DELAY=-1";
        try (ConfigurableApplicationContext context = NamedShop.start(NamedShop.leasing(
                memory("not_away"),
                "--snowflake.generators.orders.worker.jdbc.url=" + url,
                "--snowflake.worker.lease.ttl=6s",
                "--snowflake.generators.orders.clock.max-wait=50ms"))) {
            SnowflakeIdGenerator orders = named(context, "orders");
            long last = orders.nextId();

            server.stop();
            await(() -> failsToIssue(orders));
            Instant ended = Instant.now();
            await(() -> wasRenewedAfter(ended, named(context, "tickets"))
                    && wasRenewedAfter(ended, context.getBean(SnowflakeIdGenerator.class)));
            assertThat(failsToIssue(orders)).isTrue();
            assertThat(context.getBean(IdGenerator.class).nextId()).isPositive();
            assertThat(named(context, "tickets").nextId()).isPositive();

            server = Server.createTcpServer("-tcpPort", String.valueOf(port), "-ifNotExists")
                    .start();
            await(() -> !failsToIssue(orders));
            assertThat(orders.nextId()).isGreaterThan(last);
        } finally {
            server.stop();
        }
    }

    private static boolean wasRenewedAfter(Instant time, SnowflakeIdGenerator generator) {
        return generator.lease().orElseThrow().renewedAt().isAfter(time);
    }

    private static boolean failsToIssue(SnowflakeIdGenerator generator) {
        try {
            generator.nextId();
            return false;
        } catch (WorkerLeaseExpiredException e) {
            return true;
        }
    }

    private static void await(BooleanSupplier condition) throws InterruptedException {
        long end = System.nanoTime() + Duration.ofMinutes(2).toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("within two minutes").isLessThan(end);
            Thread.sleep(20);
        }
    }
}
