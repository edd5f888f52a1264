package io.github.snowflakeid.micrometer;

import io.github.snowflakeid.actuate.SegmentReport;
import io.github.snowflakeid.segment.SegmentIdGenerator;
import io.github.snowflakeid.segment.SegmentStatistics;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.function.ToDoubleFunction;

/** The meters of a generator whose numbers are of segments. They are read when somebody asks. */
final class SegmentMeters {

    private final SegmentIdGenerator generator;
    private final Tags tags;
    private final MeterRegistry registry;

    SegmentMeters(String name, SegmentIdGenerator generator, MeterRegistry registry) {
        this.generator = generator;
        tags = Tags.of("generator", name, "store", SegmentReport.stores(generator));
        this.registry = registry;
    }

    void bind() {
        counter("snowflake.segment.issued", "Numbers that were issued", SegmentStatistics::issued);
        FunctionCounter.builder(
                        "snowflake.segment.waited",
                        generator,
                        of -> of.statistics().waited().toNanos() / 1e9)
                .description("Time that callers have waited for numbers")
                .baseUnit("seconds")
                .tags(tags)
                .register(registry);
        counter("snowflake.segment.refused", "Calls that got no number", SegmentStatistics::refused);
        counter("snowflake.segment.fetches", "Segments that were taken from a store", SegmentStatistics::fetches);
        counter(
                "snowflake.segment.failures",
                "Failures of a store when a segment was to be taken",
                SegmentStatistics::failures);
        gauge(
                "snowflake.segment.remaining",
                "Numbers at hand",
                of -> of.statistics().remaining());
        gauge(
                "snowflake.segment.step",
                "Numbers that were asked for at once last",
                of -> of.statistics().step());
        gauge(
                "snowflake.segment.stores.away",
                "Stores that do not answer",
                of -> of.excludedStores().size());
        gauge(
                "snowflake.segment.used",
                "Which part of all numbers from start to end was taken from the stores",
                SegmentMeters::used);
    }

    private static double used(SegmentIdGenerator of) {
        double all = (double) of.maxValue() - of.initialValue() + 1;
        return Math.max(0, of.statistics().last() - of.initialValue() + 1) / all;
    }

    private void counter(String name, String description, ToDoubleFunction<SegmentStatistics> number) {
        FunctionCounter.builder(name, generator, of -> number.applyAsDouble(of.statistics()))
                .description(description)
                .tags(tags)
                .register(registry);
    }

    private void gauge(String name, String description, ToDoubleFunction<SegmentIdGenerator> number) {
        Gauge.builder(name, generator, number)
                .description(description)
                .tags(tags)
                .register(registry);
    }
}
