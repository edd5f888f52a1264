package io.github.snowflakeid.internal.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.snowflakeid.pages.GeneratedTable;
import io.github.snowflakeid.segment.NumbersUnavailableException;
import io.github.snowflakeid.segment.NumbersUnavailableException.Reason;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

@ExtendWith(OutputCaptureExtension.class)
class SegmentLogTests {

    private Duration now = Duration.ZERO;
    private final SegmentLog log = new SegmentLog("invoices", "Generator 'invoices': ", () -> now.toNanos());

    @Test
    void logsWhenAStoreIsExcludedAndWhenItRecovers(CapturedOutput output) {
        log.storeExcluded("first", new IllegalStateException("refused"));
        log.storeRecovered("first", Duration.ofMillis(3400));

        assertThat(output)
                .containsSubsequence(
                        " WARN ",
                        "Generator 'invoices': Counter 'invoices' got no answer from first (refused). The store is retried",
                        " INFO ",
                        "Generator 'invoices': Recovered: counter 'invoices' gets answers from first again after 3.4 s");
    }

    @Test
    void logsAStoreThatFailsAgainAndAgainOnceAMinute(CapturedOutput output) {
        for (int i = 0; i < 60; i++) {
            log.storeExcluded("first", new IllegalStateException("refused at " + i));
            now = now.plusSeconds(1);
            log.storeRecovered("first", Duration.ofSeconds(1));
        }
        log.storeExcluded("first", new IllegalStateException("refused at last"));
        log.storeExcluded("second", new IllegalStateException());

        assertThat(output.toString().lines().filter(line -> line.contains("got no answer from first")))
                .hasSize(2)
                .last()
                .asString()
                .contains("refused at last");
        assertThat(output.toString().lines().filter(line -> line.contains("gets answers from first")))
                .hasSize(1);
        assertThat(output).contains("got no answer from second (IllegalStateException)");
    }

    @Test
    void logsAStoreThatStaysDownAfterItRecoveredBefore(CapturedOutput output) {
        log.storeExcluded("first", new IllegalStateException("refused"));
        log.storeRecovered("first", Duration.ofSeconds(1));
        for (int i = 1; i < 90; i++) {
            now = now.plusSeconds(1);
            log.storeExcluded("first", new IllegalStateException("refused at " + i));
        }
        log.storeRecovered("first", Duration.ofSeconds(90));

        assertThat(output.toString().lines().filter(line -> line.contains("got no answer from first")))
                .hasSize(2)
                .last()
                .asString()
                .contains("refused at 60");
        assertThat(output.toString().lines().filter(line -> line.contains("gets answers from first")))
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
                        "Generator 'invoices': Counter 'invoices' cannot use first until it is repaired: it stands at 40",
                        " INFO ",
                        "Generator 'invoices': Recovered: counter 'invoices' gets answers from first again after 4.0 s")
                .containsOnlyOnce("it stands at 40");
    }

    @Test
    void endOfNumbersIsLoggedAsErrorAndTheRecoveryAsInfo(CapturedOutput output) {
        log.numbersEnded(new NumbersUnavailableException(Reason.EXHAUSTED, "they have ended", null));
        log.numbersResumed(Duration.ofSeconds(75));

        assertThat(output)
                .containsSubsequence(
                        "ERROR ",
                        "Generator 'invoices': Numbers of counter 'invoices' are unavailable: they have ended",
                        " INFO ",
                        "Generator 'invoices': Recovered: numbers of counter 'invoices' are available again after 75 s");
    }

    @Test
    void linesAreThoseOfTheTroubleshootingPage(CapturedOutput output) {
        logsWhenAStoreIsExcludedAndWhenItRecovers(output);
        storeThatComesBackWithACounterThatMovedBackIsAnError(output);
        endOfNumbersIsLoggedAsErrorAndTheRecoveryAsInfo(output);

        GeneratedTable.of("troubleshooting.md", "messages of counters")
                .check(output.toString()
                        .lines()
                        .filter(line -> line.contains("Generator 'invoices': "))
                        .map(line -> line.replaceFirst(".*(INFO|WARN|ERROR) .*Generator 'invoices': ", "$1 ")
                                .replaceAll("invoices|first|refused|it stands at 40|they have ended|[0-9.]+ s\\b", "…"))
                        .toList());
    }
}
