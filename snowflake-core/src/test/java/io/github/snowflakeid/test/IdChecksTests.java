package io.github.snowflakeid.test;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class IdChecksTests {

    @Test
    void findsEachIdThatOccursMoreThanOnce() {
        assertThat(IdChecks.duplicates(List.of(3L, 1L, 3L, 2L, 3L, 2L))).containsExactly(3L, 2L);
        assertThat(IdChecks.duplicates(List.of(3L, 1L, 2L))).isEmpty();
        assertThat(IdChecks.duplicates(List.of())).isEmpty();
    }

    @Test
    void findsIdsThatAreNotGreaterThanTheOneBefore() {
        assertThat(IdChecks.outOfOrder(List.of(1L, 3L, 2L, 2L, 4L))).containsExactly(2L, 2L);
        assertThat(IdChecks.outOfOrder(List.of(0L, 1L, Long.MAX_VALUE))).isEmpty();
        assertThat(IdChecks.outOfOrder(List.of())).isEmpty();
    }
}
