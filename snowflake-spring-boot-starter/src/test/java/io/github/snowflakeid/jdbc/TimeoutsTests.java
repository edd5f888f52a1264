package io.github.snowflakeid.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class TimeoutsTests {

    @Test
    void statementIsCancelledBeforeItsConnectionIsGivenUp() {
        assertThat(Timeouts.DEFAULT).isEqualTo(new Timeouts(5, 8_000));
        assertThat(Timeouts.within(Duration.ofMillis(3_750))).isEqualTo(new Timeouts(2, 3_750));
        assertThat(Timeouts.within(Duration.ofMillis(1_600))).isEqualTo(new Timeouts(1, 1_600));
    }

    @Test
    void statementHasASecondHoweverShortTheLeaseIs() {
        assertThat(Timeouts.within(Duration.ofMillis(250))).isEqualTo(new Timeouts(1, 1_600));
    }
}
