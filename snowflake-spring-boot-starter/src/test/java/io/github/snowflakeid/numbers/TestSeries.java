package io.github.snowflakeid.numbers;

import io.github.snowflakeid.SnowflakeException;

/** Gives tests of other packages the statistics of series. */
public final class TestSeries {

    private TestSeries() {}

    /** Returns the statistics of a series whose last call failed, but was no conflict. */
    public static SeriesStatistics failing() {
        SeriesStatistics statistics = new SeriesStatistics();
        try {
            statistics.measure(() -> {
                throw new SnowflakeException("no database") {};
            });
        } catch (SnowflakeException e) {
            return statistics;
        }
        throw new IllegalStateException();
    }
}
