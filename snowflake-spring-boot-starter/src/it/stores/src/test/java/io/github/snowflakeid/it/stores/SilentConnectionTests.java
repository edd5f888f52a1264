package io.github.snowflakeid.it.stores;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.snowflakeid.IdGenerator;
import io.github.snowflakeid.SnowflakeException;
import io.github.snowflakeid.SnowflakeIdGenerator;
import io.github.snowflakeid.segment.SegmentIdGenerator;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.ConfigurableApplicationContext;

/** Connections to Redis stay open and never answer, while Redis accepts new ones. */
// Slow: waits until silent connections are given up.
@Tag("full")
class SilentConnectionTests {

    private static final Duration TTL = Duration.ofSeconds(6);

    /** Nominally 10 s; the machine that runs this may be slow. */
    private static final Duration LONGEST_OUTAGE = Duration.ofMinutes(2);

    @ParameterizedTest
    @ValueSource(strings = {"lettuce", "jedis"})
    void idsContinue(String client) throws Exception {
        try (SilencingProxy proxy = new SilencingProxy(StoreServers.redisPort());
                ConfigurableApplicationContext context = StoreServers.run(StoreServers.options(
                        StoreServers.NEW_NAMESPACE,
                        "--spring.data.redis.url=redis://localhost:" + proxy.port(),
                        "--spring.data.redis.client-type=" + client,
                        "--snowflake.worker.strategy=redis",
                        "--snowflake.worker.lease.namespace=silent-" + client,
                        "--snowflake.worker.lease.ttl=" + TTL))) {
            SnowflakeIdGenerator ids = context.getBean(SnowflakeIdGenerator.class);
            proxy.silenceConnections();
            Instant ended = Instant.now().plus(TTL);

            Duration outage = longestOutage(
                    ids, () -> ids.lease().orElseThrow().renewedAt().isAfter(ended));

            assertThat(outage).isLessThan(LONGEST_OUTAGE);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"lettuce", "jedis"})
    void numbersContinue(String client) throws Exception {
        try (SilencingProxy proxy = new SilencingProxy(StoreServers.redisPort());
                ConfigurableApplicationContext context = StoreServers.run(StoreServers.options(
                        "--spring.data.redis.url=redis://localhost:" + proxy.port(),
                        "--spring.data.redis.client-type=" + client,
                        "--snowflake.worker.id=7",
                        "--snowflake.generators.invoices.type=segment",
                        "--snowflake.generators.invoices.segment.store=redis",
                        "--snowflake.generators.invoices.segment.name=silent-" + client))) {
            SegmentIdGenerator numbers = context.getBean(SegmentIdGenerator.class);
            numbers.nextId();
            proxy.silenceConnections();
            long beyondWhatIsHere = numbers.statistics().last() + 1_000;

            Duration outage = longestOutage(numbers, () -> numbers.nextId() > beyondWhatIsHere);

            assertThat(outage).isLessThan(LONGEST_OUTAGE);
        }
    }

    /** Returns the longest time without an ID until the condition holds; the limit if the condition does not hold by then. */
    private static Duration longestOutage(IdGenerator ids, BooleanSupplier isOver) {
        Instant begun = Instant.now();
        Instant last = begun;
        Duration longest = Duration.ZERO;
        while (true) {
            try {
                ids.nextId();
                Duration since = Duration.between(last, Instant.now());
                longest = longest.compareTo(since) > 0 ? longest : since;
                last = Instant.now();
                if (isOver.getAsBoolean()) {
                    return longest;
                }
            } catch (SnowflakeException e) {
                // Counted by the next iteration.
            }
            if (Duration.between(begun, Instant.now()).compareTo(LONGEST_OUTAGE) > 0) {
                return LONGEST_OUTAGE;
            }
            LockSupport.parkNanos(1_000_000);
        }
    }
}
