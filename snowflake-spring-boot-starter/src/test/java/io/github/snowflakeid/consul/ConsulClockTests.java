package io.github.snowflakeid.consul;

import static io.github.snowflakeid.servers.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.snowflakeid.IdLayout;
import io.github.snowflakeid.LeaseTerms;
import io.github.snowflakeid.SnowflakeIdGenerator;
import io.github.snowflakeid.WorkerIdUnavailableException;
import io.github.snowflakeid.WorkerRegistry;
import io.github.snowflakeid.servers.HttpLink;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Hosts whose clocks are wrong, and with them the clocks of their agents. */
@Tag("servers")
@Timeout(300)
class ConsulClockTests {

    private static final Duration HOUR = Duration.ofHours(1);
    private static final IdLayout TWO_WORKERS =
            IdLayout.builder().datacenterBits(0).workerBits(1).build();

    private final String prefix = UUID.randomUUID() + "/";

    private SnowflakeIdGenerator generator(int port, Duration ahead) {
        WorkerRegistry registry =
                ConsulServer.registry("http://127.0.0.1:" + port, prefix, "default", Duration.ofMillis(600));
        return SnowflakeIdGenerator.builder()
                .layout(TWO_WORKERS)
                .clock(() -> Instant.now().plus(ahead))
                .lease(LeaseTerms.of(registry).withTtl(Duration.ofSeconds(3)))
                .build();
    }

    @Test
    void hostThatIsAnHourAheadTakesAWorkerIdOverButRepeatsNoId() throws Exception {
        Set<Long> ids = new HashSet<>();
        int port = ConsulServer.shared().port();
        try (HttpLink link = new HttpLink(port);
                SnowflakeIdGenerator right = generator(port, Duration.ZERO)) {
            link.ahead = HOUR;
            try (SnowflakeIdGenerator ahead = generator(link.port(), HOUR)) {
                // As long as there are others, worker IDs of running instances are not taken over.
                assertThat(ahead.workerId().workerId())
                        .isNotEqualTo(right.workerId().workerId());
                try (SnowflakeIdGenerator second = generator(link.port(), HOUR)) {
                    assertThat(second.workerId().workerId())
                            .isEqualTo(right.workerId().workerId());
                    int issued = 0;
                    for (; issued < 3000; issued += 3) {
                        ids.add(second.nextId());
                        ids.add(ahead.nextId());
                        // Its lease ends before the first ID of the other one.
                        ids.add(right.tryNextId().orElse(-1L - issued));
                    }
                    assertThat(ids).hasSize(issued);
                }
            }
            // The next renewal notices the loss, and the worker ID is leased again after the release.
            await().until(() -> right.tryNextId().isPresent());
        }
    }

    @Test
    void hostsOnBothSidesOfTheHourAreRejectedByTheSharedClock() throws Exception {
        try (HttpLink link = new HttpLink(ConsulServer.shared().port())) {
            link.ahead = HOUR;
            assertThatThrownBy(() -> generator(link.port(), Duration.ZERO))
                    .isInstanceOf(WorkerIdUnavailableException.class)
                    .hasMessageContaining("clock");
        }
        assertThatThrownBy(() -> generator(ConsulServer.shared().port(), HOUR))
                .isInstanceOf(WorkerIdUnavailableException.class)
                .hasMessageContaining("clock");
    }
}
