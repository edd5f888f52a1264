package io.github.snowflakeid.pages;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.snowflakeid.WorkerLease;
import io.github.snowflakeid.event.SnowflakeLeaseEvent;
import io.github.snowflakeid.event.SnowflakeLeaseEvent.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** Runs the listener of docs/monitoring.md. */
@ExtendWith(OutputCaptureExtension.class)
class LeaseEventsPageTests {

    @Test
    void listenerOfThePageIsCalled(CapturedOutput output) {
        Instant now = Instant.parse("2026-03-01T00:00:00Z");
        WorkerLease lease = WorkerLease.of(WorkerLease.State.HELD, 0, 7, now.plusSeconds(60), now, now);

        new ApplicationContextRunner()
                .withBean(LeaseEvents.class)
                .run(context -> context.publishEvent(
                        new SnowflakeLeaseEvent("orders", Kind.RECOVERED, lease, Duration.ofSeconds(2))));

        assertThat(output).contains("orders RECOVERED");
    }

    @Test
    void listenerIsThatOfThePage() throws IOException {
        String source = Files.readString(
                Path.of("src/test/java", LeaseEvents.class.getName().replace('.', '/') + ".java"));

        assertThat(Page.of("monitoring.md").text()).contains(source.substring(source.indexOf("@Component")));
    }
}
