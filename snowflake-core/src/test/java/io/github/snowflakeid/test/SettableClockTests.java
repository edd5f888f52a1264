package io.github.snowflakeid.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.snowflakeid.SnowflakeIdGenerator;
import io.github.snowflakeid.WorkerIdAssigner;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;

class SettableClockTests {

    private static final Instant MARCH = Instant.parse("2026-03-01T00:00:00Z");

    private final SettableClock clock = SettableClock.at(MARCH);

    @Test
    void standsStillUntilItIsSet() {
        assertThat(clock.instant()).isEqualTo(MARCH).isEqualTo(clock.instant());
        clock.set(MARCH.minusNanos(1));

        assertThat(clock.instant()).isEqualTo(MARCH.minusNanos(1));
        assertThat(clock.millis()).isEqualTo(MARCH.toEpochMilli() - 1);
    }

    @Test
    void advancesAndGoesBack() {
        clock.advance(Duration.ofHours(2));
        clock.advance(Duration.ofHours(-3));

        assertThat(clock.instant()).isEqualTo(MARCH.minusSeconds(3600));
        assertThat(clock).hasToString("SettableClock[2026-02-28T23:00:00Z, Z]");
    }

    @Test
    void showsItsTimeInAnyZone() {
        SettableClock inTokyo = clock.withZone(ZoneId.of("Asia/Tokyo"));
        clock.advance(Duration.ofHours(1));

        assertThat(clock.getZone()).isEqualTo(ZoneOffset.UTC);
        assertThat(inTokyo.getZone()).isEqualTo(ZoneId.of("Asia/Tokyo"));
        assertThat(LocalDateTime.now(inTokyo)).isEqualTo("2026-03-01T10:00:00");
    }

    @Test
    void idsOfAGeneratorHaveItsTime() {
        SnowflakeIdGenerator generator = SnowflakeIdGenerator.builder()
                .clock(clock)
                .worker(WorkerIdAssigner.fixed(0, 7))
                .build();
        long first = generator.nextId();
        clock.advance(Duration.ofDays(1));
        long second = generator.nextId();

        assertThat(generator.layout().timestamp(first)).isEqualTo(MARCH);
        assertThat(generator.layout().timestamp(second)).isEqualTo("2026-03-02T00:00:00Z");
    }
}
