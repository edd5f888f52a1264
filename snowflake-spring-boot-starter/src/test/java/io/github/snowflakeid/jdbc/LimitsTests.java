package io.github.snowflakeid.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class LimitsTests {

    @Test
    void statementIsCancelledBeforeItsConnectionIsGivenUp() {
        assertThat(Limits.USUAL).isEqualTo(new Limits(5, 8_000));
        assertThat(Limits.within(Duration.ofMillis(3_750))).isEqualTo(new Limits(2, 3_750));
        assertThat(Limits.within(Duration.ofMillis(1_600))).isEqualTo(new Limits(1, 1_600));
    }

    @Test
    void statementHasASecondHoweverShortTheLeaseIs() {
        assertThat(Limits.within(Duration.ofMillis(250))).isEqualTo(new Limits(1, 1_600));
    }
}
