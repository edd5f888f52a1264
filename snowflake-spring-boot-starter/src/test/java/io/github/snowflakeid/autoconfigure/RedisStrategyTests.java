package io.github.snowflakeid.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.snowflakeid.IdGenerator;
import io.github.snowflakeid.SnowflakeIdGenerator;
import io.github.snowflakeid.WorkerRegistry.Entry;
import io.github.snowflakeid.jdbc.SnowflakeJdbcAutoConfiguration;
import io.github.snowflakeid.redis.RedisWorkerRegistry;
import io.github.snowflakeid.redis.Server;
import io.github.snowflakeid.redis.SnowflakeRedisAutoConfiguration;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration;
import org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

@ExtendWith(OutputCaptureExtension.class)
class RedisStrategyTests {

    private static final String NO_FACTORY =
            "Worker IDs are leased in Redis, but there is no unique RedisConnectionFactory bean: no bean is the only one or primary.";

    private static Server server;
    private static LettuceConnectionFactory connections;

    private final ApplicationContextRunner plain = new ApplicationContextRunner()
            .withConfiguration(
                    AutoConfigurations.of(SnowflakeAutoConfiguration.class, SnowflakeRedisAutoConfiguration.class))
            .withPropertyValues("spring.data.redis.port=" + server.port());

    private final ApplicationContextRunner runner =
            plain.withConfiguration(AutoConfigurations.of(RedisAutoConfiguration.class));

    private final ApplicationContextRunner leasing = runner.withPropertyValues(
            "snowflake.worker.strategy=redis", "snowflake.worker.redis.assume-new-namespace=true");

    @BeforeAll
    static void start() {
        server = Server.shared();
        connections = server.connections();
    }

    @AfterAll
    static void stop() {
        connections.destroy();
    }

    private static List<String> owners(String keyPrefix, String namespace) {
        return new RedisWorkerRegistry(connections, keyPrefix, namespace, Duration.ofMinutes(1))
                .read().entries().stream().map(Entry::owner).toList();
    }

    @Test
    void leasesInRedisIfSelected() {
        leasing.withPropertyValues("snowflake.worker.lease.namespace=shop").run(context -> {
            SnowflakeIdGenerator generator = context.getBean(SnowflakeIdGenerator.class);
            assertThat(generator.workerId().origin()).isEqualTo("leased, namespace 'shop'");
            assertThat(generator.nextId()).isPositive();
            assertThat(owners("snowflake:", "shop")).hasSize(1).doesNotContainNull();
        });
        assertThat(owners("snowflake:", "shop")).as("given back").containsExactly((String) null);
    }

    /** Otherwise, renewals are rejected while callers wait for IDs that are far ahead of the clock. */
    @Test
    void boundOfReservationsContainsTheTimeThatCallersWait() {
        leasing.withPropertyValues(
                        "snowflake.worker.lease.namespace=bound",
                        "snowflake.worker.lease.ttl=30s",
                        "snowflake.worker.lease.max-clock-skew=5s",
                        "snowflake.clock.max-drift=2s",
                        "snowflake.clock.max-wait=20s")
                .run(context -> {
                    assertThat(context.getBean(IdGenerator.class).nextId()).isPositive();
                    try (RedisConnection redis = connections.getConnection()) {
                        byte[] mark = redis.hashCommands()
                                .hGet(
                                        "snowflake:bound".getBytes(StandardCharsets.US_ASCII),
                                        "mark".getBytes(StandardCharsets.US_ASCII));
                        // The sum of the four durations, two ticks, and a second.
                        assertThat(new String(mark, StandardCharsets.US_ASCII)).endsWith(" 58002");
                    }
                });
    }

    @Test
    void startFailsWithAWayOutIfTheClockOfRedisWasAhead() {
        Instant floor = Instant.ofEpochMilli(System.currentTimeMillis() + 28_800_000);
        new StringRedisTemplate(connections)
                .opsForHash()
                .put("snowflake:ahead", "mark", floor.toEpochMilli() + " another 73002");

        ActionAssertions.assertThatFailure(
                leasing.withPropertyValues(
                        "snowflake.worker.lease.namespace=ahead", "snowflake.worker.lease.acquire-timeout=2s"),
                "No worker ID of namespace 'ahead' leased within 2000 ms: Redis's clock was ahead, so IDs up to "
                        + floor + " may exist in namespace 'ahead', and no worker ID is leased before then.",
                "If Redis's clock is behind now, correct it. Otherwise wait until then.");
    }

    /** Spring Boot binds this value to the strategy, so it must not be treated as unset. */
    @Test
    void strategyMayBeSpeltAsSpringBootSpellsConstants() {
        for (String spelling : List.of("REDIS", "re-dis", " redis ", "re_dis")) {
            leasing.withPropertyValues("snowflake.worker.strategy=" + spelling)
                    .run(context -> assertThat(context.getBean(SnowflakeIdGenerator.class)
                                    .workerId()
                                    .origin())
                            .isEqualTo("leased, namespace 'default'"));
        }
    }

    @Test
    void isNotUsedByDefault() {
        ApplicationContextRunner withJdbc =
                runner.withConfiguration(AutoConfigurations.of(SnowflakeJdbcAutoConfiguration.class));
        withJdbc.run(context -> assertThat(
                        context.getBean(SnowflakeIdGenerator.class).workerId().origin())
                .doesNotContain("leased"));
        withJdbc.withConfiguration(AutoConfigurations.of(DataSourceAutoConfiguration.class))
                .withPropertyValues("spring.datasource.generate-unique-name=true")
                .run(context -> assertThat(
                                context.getBean(SnowflakeIdGenerator.class).leaseTerms())
                        .get()
                        .extracting(terms -> terms.registry().kind())
                        .isEqualTo("jdbc"));
    }

    /** The connection factory is stopped before any bean is destroyed. */
    @Test
    void beansThatAreDestroyedStillGetIds(CapturedOutput output) {
        List<Closing> closing = new ArrayList<>();
        leasing.withPropertyValues("snowflake.worker.lease.namespace=closing")
                .withBean(Closing.class)
                .run(context -> closing.add(context.getBean(Closing.class)));

        assertThat(closing).singleElement().extracting(bean -> bean.last).isNotEqualTo(0L);
        assertThat(owners("snowflake:", "closing")).containsExactly((String) null);
        assertThat(output).contains("ended: released");
    }

    private static final class Closing implements DisposableBean {
        private final IdGenerator ids;
        private long last;

        Closing(IdGenerator ids) {
            this.ids = ids;
        }

        @Override
        public void destroy() {
            last = ids.nextId();
        }
    }

    @Test
    void namedGeneratorsMayLeaseInAnotherStoreAndWithAPrefixOfTheirOwn() {
        leasing.withConfiguration(
                        AutoConfigurations.of(DataSourceAutoConfiguration.class, SnowflakeJdbcAutoConfiguration.class))
                .withPropertyValues(
                        "spring.datasource.generate-unique-name=true",
                        "snowflake.worker.lease.namespace=unnamed",
                        "snowflake.generators.orders.worker.redis.key-prefix=own:",
                        "snowflake.generators.invoices.worker.strategy=jdbc",
                        "snowflake.generators.tickets.worker.strategy=fixed",
                        "snowflake.generators.tickets.worker.id=7")
                .run(context -> {
                    assertThat(context.getBean(IdGenerator.class).nextId()).isPositive();
                    assertThat(owners("snowflake:", "unnamed")).hasSize(1).doesNotContainNull();
                    assertThat(owners("own:", "orders")).hasSize(1).doesNotContainNull();
                    assertThat(owners("snowflake:", "invoices")).isEmpty();
                    assertThat(context.getBean("snowflake.generators.invoices", SnowflakeIdGenerator.class)
                                    .workerId()
                                    .origin())
                            .isEqualTo("leased, namespace 'invoices'");
                    assertThat(context.getBean("snowflake.generators.tickets", SnowflakeIdGenerator.class)
                                    .workerId()
                                    .workerId())
                            .isEqualTo(7);
                });
        assertThat(owners("own:", "orders")).containsExactly((String) null);
    }

    // Slow: waits until every lease that Redis may have lost has ended.
    @Tag("full")
    @Test
    void startWaitsIfTheNamespaceMayHaveBeenForgotten(CapturedOutput output) {
        runner.withPropertyValues(
                        "snowflake.worker.strategy=redis",
                        "snowflake.worker.lease.namespace=waiting",
                        "snowflake.worker.lease.ttl=1s",
                        "snowflake.worker.lease.acquire-timeout=60s",
                        "snowflake.worker.lease.max-clock-skew=100ms",
                        "snowflake.clock.max-drift=0s")
                .run(context ->
                        assertThat(context.getBean(IdGenerator.class).nextId()).isPositive());
        assertThat(output)
                .containsPattern(
                        "IDs of a new lease begin at \\S+: namespace 'waiting' is new in Redis, or Redis has lost it\\. If"
                                + " it is known to be new, start one process with '--snowflake.worker.redis.assume-new-namespace=true'");

        leasing.withPropertyValues("snowflake.worker.lease.namespace=waiting")
                .run(
                        context -> assertThat(output)
                                .contains(
                                        "Namespace 'waiting' is not new in Redis. Remove 'snowflake.worker.redis.assume-new-namespace'"));
    }

    @Test
    void missingConnectionFactoryIsReported() {
        ActionAssertions.assertThatFailure(
                plain.withPropertyValues("snowflake.worker.strategy=redis"),
                NO_FACTORY,
                """
                Set the host of Redis, so that Spring Boot creates the bean:

                spring.data.redis.host: localhost

                or mark the bean to use with @Primary.""",
                // No auto-configuration creates the bean in this test.
                NO_FACTORY);
    }

    @Test
    void missingLibraryIsReported() {
        plain.withClassLoader(new FilteredClassLoader(RedisConnectionFactory.class))
                .withPropertyValues("snowflake.worker.strategy=redis")
                .run(context -> {
                    assertThat(ActionAssertions.analysis(context.getStartupFailure())
                                    .getDescription())
                            .isEqualTo(
                                    "Property 'snowflake.worker.strategy' is 'redis', but Spring Data Redis is not on the class path.");
                    assertThat(ActionAssertions.analysis(context.getStartupFailure())
                                    .getAction())
                            .isEqualTo("""
                            Add the dependency:

                            <dependency>
                              <groupId>org.springframework.boot</groupId>
                              <artifactId>spring-boot-starter-data-redis</artifactId>
                            </dependency>""");
                });
    }

    @Test
    void redisThatIsDownFailsStartupWithAdvice() {
        leasing.withPropertyValues("spring.data.redis.port=1", "snowflake.worker.lease.acquire-timeout=3s")
                .run(context -> {
                    assertThat(ActionAssertions.analysis(context.getStartupFailure())
                                    .getDescription())
                            .startsWith(
                                    "No worker ID of namespace 'default' leased within 3000 ms: Redis did not answer: ");
                    assertThat(ActionAssertions.analysis(context.getStartupFailure())
                                    .getAction())
                            .isEqualTo("Start Redis, and check 'spring.data.redis'.");
                });
    }
}
