package io.github.snowflakeid.micrometer;

import io.github.snowflakeid.GeneratorStatistics;
import io.github.snowflakeid.GeneratorStatistics.Refusal;
import io.github.snowflakeid.SnowflakeIdGenerator;
import io.github.snowflakeid.actuate.GeneratorReport;
import io.github.snowflakeid.autoconfigure.SnowflakeGenerators;
import io.github.snowflakeid.segment.SegmentIdGenerator;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/** The meters of all generators. They are read when somebody asks; an id costs nothing for being counted. */
final class SnowflakeMeters implements MeterBinder {

    private final SnowflakeGenerators generators;
    private final InstantSource clock;

    SnowflakeMeters(SnowflakeGenerators generators, InstantSource clock) {
        this.generators = generators;
        this.clock = clock;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        generators.managed().forEach((name, generator) -> {
            if (generator instanceof SegmentIdGenerator segments) {
                new SegmentMeters(name, segments, registry).bind();
            } else if (generator instanceof SnowflakeIdGenerator snowflakes) {
                Tags tags = Tags.of("generator", name, "strategy", GeneratorReport.strategy(snowflakes));
                ids(snowflakes, tags, registry);
                if (snowflakes.leaseTerms().isPresent()) {
                    lease(snowflakes, tags, registry);
                }
            }
        });
    }

    private static void ids(SnowflakeIdGenerator generator, Tags tags, MeterRegistry registry) {
        counter("snowflake.ids.issued", "Ids that were made", GeneratorStatistics::issued, generator, tags, registry);
        FunctionCounter.builder(
                        "snowflake.ids.waited",
                        generator,
                        of -> seconds(of.statistics().waited()))
                .description("Time that callers have waited for ids")
                .baseUnit("seconds")
                .tags(tags)
                .register(registry);
        for (Refusal reason : Refusal.values()) {
            counter(
                    "snowflake.ids.refused",
                    "Calls that got no id",
                    statistics -> statistics.refusals().getOrDefault(reason, 0L),
                    generator,
                    tags.and("reason", reason.name().toLowerCase(Locale.ROOT).replace('_', '-')),
                    registry);
        }
        time(
                "snowflake.drift",
                "How far the last id is ahead of the clock",
                of -> of.statistics().drift(),
                generator,
                tags,
                registry);
        Gauge.builder(
                        "snowflake.ticker.running",
                        generator,
                        of -> of.statistics().tickerRunning() ? 1 : 0)
                .description("Whether a thread looks at the clock for the callers, since they make many ids")
                .tags(tags)
                .register(registry);
    }

    private void lease(SnowflakeIdGenerator generator, Tags tags, MeterRegistry registry) {
        time(
                "snowflake.lease.remaining",
                "How long ids are made if the lease is not renewed",
                of -> of.lease()
                        .map(lease -> GeneratorReport.remaining(lease, clock.instant()))
                        .orElse(Duration.ZERO),
                generator,
                tags,
                registry);
        counter(
                "snowflake.lease.acquisitions",
                "Worker ids that were leased",
                GeneratorStatistics::acquisitions,
                generator,
                tags,
                registry);
        counter(
                "snowflake.lease.renewals",
                "Renewals of leases that were confirmed",
                GeneratorStatistics::renewals,
                generator,
                tags,
                registry);
        counter(
                "snowflake.lease.failures",
                "Failures of the registry when a lease was to be acquired or renewed",
                GeneratorStatistics::failures,
                generator,
                tags,
                registry);
        generator.leaseTerms().ifPresent(terms -> {
            ClassLoader loader = terms.registry().getClass().getClassLoader();
            WorkerIdCount count =
                    new WorkerIdCount(generator, terms, System::nanoTime, reading -> inBackground(reading, loader));
            // Nothing else holds the count; the registry of meters does so only here.
            TimeGauge.builder("snowflake.clock.skew", count, TimeUnit.SECONDS, of -> seconds(of.skew()))
                    .description("How far the clock of the registry was ahead, as it was within the last minutes")
                    .strongReference(true)
                    .tags(tags)
                    .register(registry);
            workers("taken", WorkerIdCount::taken, count, tags, registry);
            workers("free", WorkerIdCount::free, count, tags, registry);
        });
    }

    /** @param loader that of the registry, for what it loads, as drivers of a database do */
    private static void inBackground(Runnable reading, ClassLoader loader) {
        Thread thread = new Thread(null, reading, "snowflake-meters", 0, false);
        thread.setDaemon(true);
        thread.setContextClassLoader(loader);
        thread.start();
    }

    private static void workers(
            String state,
            ToDoubleFunction<WorkerIdCount> number,
            WorkerIdCount count,
            Tags tags,
            MeterRegistry registry) {
        Gauge.builder("snowflake.workers", count, number)
                .description("Worker ids of the namespace, as they were within the last minutes")
                .strongReference(true)
                .tags(tags.and("state", state))
                .register(registry);
    }

    private static void counter(
            String name,
            String description,
            ToDoubleFunction<GeneratorStatistics> number,
            SnowflakeIdGenerator generator,
            Tags tags,
            MeterRegistry registry) {
        FunctionCounter.builder(name, generator, of -> number.applyAsDouble(of.statistics()))
                .description(description)
                .tags(tags)
                .register(registry);
    }

    private static void time(
            String name,
            String description,
            Function<SnowflakeIdGenerator, Duration> time,
            SnowflakeIdGenerator generator,
            Tags tags,
            MeterRegistry registry) {
        TimeGauge.builder(name, generator, TimeUnit.SECONDS, of -> seconds(time.apply(of)))
                .description(description)
                .tags(tags)
                .register(registry);
    }

    private static double seconds(Duration duration) {
        return duration.toNanos() / 1e9;
    }
}
