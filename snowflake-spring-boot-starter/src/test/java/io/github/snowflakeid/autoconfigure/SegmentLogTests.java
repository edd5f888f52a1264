package io.github.snowflakeid.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.snowflakeid.segment.NumbersUnavailableException;
import io.github.snowflakeid.segment.NumbersUnavailableException.Reason;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

@ExtendWith(OutputCaptureExtension.class)
class SegmentLogTests {

    private Instant now = Instant.parse("2026-03-01T00:00:00Z");
    private final SegmentLog log = new SegmentLog("invoices", "Generator 'invoices': ", () -> now);

    @Test
    void storeIsToldOfWhenItGoesAndWhenItIsBack(CapturedOutput output) {
        log.storeExcluded("first", new IllegalStateException("refused"));
        log.storeRecovered("first", Duration.ofMillis(3400));

        assertThat(output)
                .containsSubsequence(
                        " WARN ",
                        "Generator 'invoices': Counter 'invoices' has no answer of first (refused); it is asked again",
                        " INFO ",
                        "Generator 'invoices': Counter 'invoices' has answers of first again, after 3.4 s");
    }

    @Test
    void storeThatComesAndGoesIsToldOfOnceAMinute(CapturedOutput output) {
        for (int i = 0; i < 60; i++) {
            log.storeExcluded("first", new IllegalStateException("refused at " + i));
            now = now.plusSeconds(1);
            log.storeRecovered("first", Duration.ofSeconds(1));
        }
        log.storeExcluded("first", new IllegalStateException("refused at last"));
        log.storeExcluded("second", new IllegalStateException());

        assertThat(output.toString().lines().filter(line -> line.contains("has no answer of first")))
                .hasSize(2)
                .last()
                .asString()
                .contains("refused at last");
        assertThat(output.toString().lines().filter(line -> line.contains("has answers of first")))
                .hasSize(1);
        assertThat(output).contains("has no answer of second (IllegalStateException)");
    }

    @Test
    void storeThatRemainsAwayIsToldOfWhenItHasComeAndGoneBefore(CapturedOutput output) {
        log.storeExcluded("first", new IllegalStateException("refused"));
        log.storeRecovered("first", Duration.ofSeconds(1));
        for (int i = 1; i < 90; i++) {
            now = now.plusSeconds(1);
            log.storeExcluded("first", new IllegalStateException("refused at " + i));
        }
        log.storeRecovered("first", Duration.ofSeconds(90));

        assertThat(output.toString().lines().filter(line -> line.contains("has no answer of first")))
                .hasSize(2)
                .last()
                .asString()
                .contains("refused at 60");
        assertThat(output.toString().lines().filter(line -> line.contains("has answers of first")))
                .hasSize(2);
    }

    @Test
    void storeThatComesBackWithACounterThatMovedBackIsAnError(CapturedOutput output) {
        log.storeExcluded("first", new IllegalStateException("refused"));
        for (int i = 0; i < 3; i++) {
            now = now.plusSeconds(1);
            log.storeExcluded(
                    "first", new NumbersUnavailableException(Reason.COUNTER_MOVED_BACK, "it stands at 40", null));
        }
        log.storeRecovered("first", Duration.ofSeconds(4));

        assertThat(output)
                .containsSubsequence(
                        " WARN ",
                        "ERROR ",
                        "Generator 'invoices': Counter 'invoices' has no use for first until somebody mends it: it stands at 40",
                        " INFO ",
                        "Generator 'invoices': Counter 'invoices' has answers of first again, after 4.0 s")
                .containsOnlyOnce("it stands at 40");
    }

    @Test
    void endOfNumbersIsAnErrorAndItsEndIsNot(CapturedOutput output) {
        log.numbersEnded(new NumbersUnavailableException(Reason.EXHAUSTED, "they have ended", null));
        log.numbersResumed(Duration.ofSeconds(75));

        assertThat(output)
                .containsSubsequence(
                        "ERROR ",
                        "Generator 'invoices': No numbers of counter 'invoices' any more: they have ended",
                        " INFO ",
                        "Generator 'invoices': Numbers of counter 'invoices' flow again, after 75 s without");
    }

    @Test
    void everyLineIsInTheTableOfTheTroubleshootingPageAndTheOtherWayRound(CapturedOutput output) throws IOException {
        storeIsToldOfWhenItGoesAndWhenItIsBack(output);
        storeThatComesBackWithACounterThatMovedBackIsAnError(output);
        endOfNumbersIsAnErrorAndItsEndIsNot(output);

        List<String> lines = output.toString()
                .lines()
                .filter(line -> line.contains("Generator 'invoices': "))
                .map(line -> line.replaceFirst(".*(INFO|WARN|ERROR) .*Generator 'invoices': ", "$1 "))
                .toList();
        List<Pattern> documented = DocumentedLogLines.below("Messages of counters");

        assertThat(lines)
                .isNotEmpty()
                .allSatisfy(line -> assertThat(documented)
                        .anyMatch(pattern -> pattern.matcher(line).lookingAt()));
        // The first one is logged by the factory of the generator.
        assertThat(documented).hasSize(6).first().asString().contains("umbers of counter '");
        assertThat(documented.subList(1, 6))
                .allSatisfy(pattern ->
                        assertThat(lines).anyMatch(line -> pattern.matcher(line).lookingAt()));
    }
}
