package io.github.snowflakeid.servers;

import static io.github.snowflakeid.servers.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.snowflakeid.LeaseTerms;
import io.github.snowflakeid.SnowflakeException;
import io.github.snowflakeid.SnowflakeIdGenerator;
import io.github.snowflakeid.WorkerLease;
import io.github.snowflakeid.WorkerLease.State;
import io.github.snowflakeid.WorkerLeaseExpiredException;
import io.github.snowflakeid.WorkerRegistry;
import io.github.snowflakeid.WorkerRegistry.Entry;
import io.github.snowflakeid.failure.ConfigurationException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** What each store that answers by HTTP must do in outages and when it rejects a request. */
public final class StoreChecks {

    private StoreChecks() {}

    /**
     * Asserts that IDs end with the lease during an outage, and resume with the same worker ID.
     *
     * @param registry a registry whose calls take half a second at most
     * @param messages one of them is in the exception that callers get
     */
    public static void assertIdsEndAndResume(
            WorkerRegistry registry, Runnable begin, Runnable end, String... messages) {
        Set<Long> ids = new HashSet<>();
        int issued = 0;
        try (SnowflakeIdGenerator generator = SnowflakeIdGenerator.builder()
                .maxWait(Duration.ofMillis(10))
                .lease(LeaseTerms.of(registry)
                        .withTtl(Duration.ofSeconds(2))
                        .withAcquireTimeout(Duration.ofSeconds(60)))
                .build()) {
            int workerId = generator.workerId().workerId();
            begin.run();
            WorkerLeaseExpiredException expired = null;
            while (expired == null) {
                try {
                    ids.add(generator.nextId());
                    issued++;
                    ServerProcess.sleep(1);
                } catch (WorkerLeaseExpiredException e) {
                    expired = e;
                }
            }
            // A renewal that is late may not have failed yet.
            await().untilAsserted(() -> assertThatExceptionOfType(WorkerLeaseExpiredException.class)
                    .isThrownBy(generator::nextId)
                    .satisfies(e -> assertThat(e).message().containsAnyOf(messages)));

            end.run();
            await().until(() -> generator.lease().orElseThrow().state() == State.HELD);
            for (int i = 0; i < 1000; i++) {
                ids.add(nextId(generator));
            }
            assertThat(ids).hasSize(issued + 1000);
            assertThat(generator.workerId().workerId()).isEqualTo(workerId);
        }
    }

    /** Returns an ID, also if a renewal is late. */
    private static long nextId(SnowflakeIdGenerator generator) {
        while (true) {
            try {
                return generator.nextId();
            } catch (WorkerLeaseExpiredException e) {
                Thread.onSpinWait();
            }
        }
    }

    /**
     * Asserts that IDs continue without a permission, and that the lease is renewed when the permission is granted again.
     *
     * @param reason part of the reason that the lease shows meanwhile
     */
    public static void assertIdsContinueWithoutPermission(
            WorkerRegistry registry, Runnable revoke, String reason, Runnable grant) {
        try (SnowflakeIdGenerator generator = SnowflakeIdGenerator.builder()
                .lease(LeaseTerms.of(registry).withTtl(Duration.ofSeconds(3)))
                .build()) {
            int workerId = generator.workerId().workerId();
            revoke.run();
            await().untilAsserted(() -> assertThat(generator.lease().orElseThrow())
                    // If this thread is late, the lease has ended.
                    .matches(lease -> lease.state() == State.EXPIRING || lease.state() == State.ENDED)
                    .extracting(WorkerLease::reason, InstanceOfAssertFactories.STRING)
                    .contains(reason));

            grant.run();
            await().until(() -> generator.lease().orElseThrow().state() == State.HELD);
            assertThat(generator.workerId().workerId()).isEqualTo(workerId);
            assertThat(nextId(generator)).isPositive();
        }
    }

    /** Asserts that a read fails with a message that matches a pattern, and an action that contains a text. */
    public static void assertReadFails(WorkerRegistry registry, String message, String action) {
        assertThatThrownBy(registry::read)
                .isInstanceOf(SnowflakeException.class)
                .satisfies(e -> {
                    ConfigurationException known = (ConfigurationException) (e.getCause() == null ? e : e.getCause());
                    assertThat(known.getMessage()).matches(message);
                    assertThat(known.action().orElseThrow()).contains(action);
                });
    }

    /**
     * Asserts that the generators of an application lease worker IDs, and release them at shutdown.
     *
     * @param application an application without a named generator
     * @param entries returns the entries of a namespace in the store
     */
    public static void assertGeneratorsLease(
            ApplicationContextRunner application, Function<String, List<Entry>> entries) {
        application
                .withPropertyValues("snowflake.generators.orders.layout=default")
                .run(context -> {
                    assertThat(context.getBeansOfType(SnowflakeIdGenerator.class)
                                    .values())
                            .hasSize(2)
                            .allSatisfy(
                                    generator -> assertThat(generator.nextId()).isPositive());
                    for (String namespace : List.of("default", "orders")) {
                        assertThat(entries.apply(namespace))
                                .extracting(Entry::owner)
                                .hasSize(1)
                                .doesNotContainNull();
                    }
                });
        assertThat(entries.apply("default")).extracting(Entry::owner).hasSize(1).containsOnlyNulls();
    }
}
