package io.github.snowflakeid;

import java.time.Duration;
import java.util.Map;

/** The values of {@link GeneratorStatistics}. */
record StatisticsValues(
        long issued,
        Duration waited,
        Map<Refusal, Long> refusals,
        Duration drift,
        boolean tickerRunning,
        long acquisitions,
        long renewals,
        long failures)
        implements GeneratorStatistics {}
