package io.github.snowflakeid.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.snowflakeid.worker.WorkerLease;
import io.github.snowflakeid.worker.WorkerLease.State;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

@ExtendWith(OutputCaptureExtension.class)
class LeaseLogTests {

    private static final Instant FENCE = Instant.parse("2026-03-01T00:01:00Z");

    private final LeaseLog log = new LeaseLog("");

    @Test
    void isSilentAboutTheFirstLease(CapturedOutput output) {
        accept(State.HELD, null);

        assertThat(output).isEmpty();
    }

    @Test
    void tellsOfALeaseThatIsLostAndReplaced(CapturedOutput output) {
        accept(State.HELD, null);
        accept(State.EXPIRING, "no answer");
        accept(State.LOST, "its entry was deleted");
        accept(State.HELD, null);
        accept(State.CLOSED, null);

        assertThat(lines(output))
                .containsExactly(
                        "WARN Lease of worker id 7, datacenter id 3 could not be renewed (no answer); ids are made up to"
                                + " 2026-03-01T00:01:00Z, and renewing it is tried again",
                        "WARN Lease of worker id 7, datacenter id 3 is lost: its entry was deleted; no ids are made until another"
                                + " worker id is leased",
                        "INFO Lease of worker id 7, datacenter id 3 is held; ids may be made up to 2026-03-01T00:01:00Z",
                        "INFO Lease of worker id 7, datacenter id 3 has ended: given back");
    }

    @Test
    void losesNothingThatWasNeverLeased(CapturedOutput output) {
        accept(State.LOST, "no answer");
        accept(State.HELD, null);
        accept(State.CLOSED, "not given back: no answer");
        accept(State.LOST, "none was leased yet");

        assertThat(lines(output))
                .containsExactly(
                        "WARN No worker id is leased yet: no answer; no ids are made until one is",
                        "INFO Lease of worker id 7, datacenter id 3 is held; ids may be made up to 2026-03-01T00:01:00Z",
                        "INFO Lease of worker id 7, datacenter id 3 has ended: not given back: no answer",
                        "WARN No worker id is leased yet: none was leased yet; no ids are made until one is");
    }

    private void accept(State state, @Nullable String reason) {
        log.accept(new WorkerLease(state, 3, 7, FENCE, FENCE, FENCE, Duration.ZERO, reason));
    }

    private static List<String> lines(CapturedOutput output) {
        return output.toString()
                .lines()
                .map(line -> line.replaceFirst(".* (INFO|WARN) .*[.]SnowflakeIdGenerator +(:|-+) ", "$1 "))
                .toList();
    }
}
