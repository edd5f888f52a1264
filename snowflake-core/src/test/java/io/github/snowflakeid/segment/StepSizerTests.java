package io.github.snowflakeid.segment;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class StepSizerTests {

    private static final long SECOND = 1_000_000_000;

    private final StepSizer pace = new StepSizer(100, 100_000, Duration.ofMinutes(15));

    @Test
    void firstStepIsTheSmallest() {
        assertThat(pace.step(0, 0)).isEqualTo(100);
    }

    @Test
    void stepBecomesTheNumbersUsedInTheIntendedLifetimeOfASegment() {
        long used = 0;
        long step = pace.step(0, 0);
        for (int segment = 1; segment <= 10; segment++) {
            used += 20 * 60;
            step = pace.step(segment * 60 * SECOND, used);
        }
        assertThat(step).as("20 a second for 900 s").isEqualTo(18_000);
    }

    @Test
    void stepGrowsEightfoldAtMostAndUpToTheGreatest() {
        pace.step(0, 0);
        assertThat(pace.step(1, 100)).isEqualTo(800);
        assertThat(pace.step(2, 900)).isEqualTo(6400);
        assertThat(pace.step(3, 7300)).isEqualTo(51_200);
        assertThat(pace.step(4, 58_500)).isEqualTo(100_000);
        assertThat(pace.lastStep()).isEqualTo(100_000);
    }

    @Test
    void stepShrinksByHalfAtMostAndDownToTheSmallest() {
        stepGrowsEightfoldAtMostAndUpToTheGreatest();
        assertThat(pace.step(3600 * SECOND, 58_501)).isEqualTo(50_000);
        assertThat(pace.step(7200 * SECOND, 58_502)).isEqualTo(25_000);
        for (int hour = 3; hour < 20; hour++) {
            pace.step(hour * 3600 * SECOND, 58_502);
        }
        assertThat(pace.lastStep()).isEqualTo(100);
    }

    @Test
    void slowCallsNeedTheNextSegmentWhenAQuarterIsLeft() {
        Segment segment = new Segment(1, 1, 800, 0, Segment.NOTHING);
        pace.answered(SECOND / 100);
        assertThat(usedWhenDue(segment, SECOND)).isEqualTo(600);
    }

    @Test
    void fastCallsNeedItEarlier() {
        Segment segment = new Segment(1, 1, 800, 0, Segment.NOTHING);
        pace.answered(SECOND / 100);
        // 10,000 a second: 400 are used in the time of four answers, and a hundred before the next look.
        assertThat(usedWhenDue(segment, SECOND / 100)).isEqualTo(300);
    }

    @Test
    void oneSlowAnswerIsRememberedForAWhile() {
        pace.answered(SECOND);
        pace.answered(SECOND / 1000);
        assertThat(usedWhenDue(new Segment(1, 1, 800, 0, Segment.NOTHING), SECOND))
                .isEqualTo(400);
    }

    /** Returns how many numbers are used when the next segment is due, if a hundred numbers take the given time. */
    private long usedWhenDue(Segment segment, long nanosForAHundred) {
        long used = 0;
        pace.passed(0, 0);
        while (!pace.isDue(segment)) {
            segment.claim(100);
            used += 100;
            pace.passed(used / 100 * nanosForAHundred, used);
        }
        return used;
    }
}
