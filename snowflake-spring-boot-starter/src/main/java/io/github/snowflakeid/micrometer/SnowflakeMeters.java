package io.github.snowflakeid.micrometer;

import io.github.snowflakeid.GeneratorStatistics;
import io.github.snowflakeid.GeneratorStatistics.Refusal;
import io.github.snowflakeid.LeaseTerms;
import io.github.snowflakeid.SnowflakeIdGenerator;
import io.github.snowflakeid.WorkerLease.State;
import io.github.snowflakeid.autoconfigure.SnowflakeGenerators;
import io.github.snowflakeid.internal.DaemonThreads;
import io.github.snowflakeid.internal.actuate.GeneratorLabels;
import io.github.snowflakeid.segment.SegmentIdGenerator;
import io.github.snowflakeid.segment.SegmentStatistics;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Locale;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * The meters of all generators. Values are computed when a monitoring system reads them, so meters do not slow down the
 * issuing of IDs.
 */
final class SnowflakeMeters implements MeterBinder {

    private static final String WORKERS = "Worker IDs of the namespace, as of the last minutes";

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
                Tags tags = Tags.of("generator", name, "store", GeneratorLabels.stores(segments));
                bindSegments(new Meters<>(segments, SegmentIdGenerator::statistics, tags, registry));
            } else if (generator instanceof SnowflakeIdGenerator snowflakes) {
                Tags tags = Tags.of("generator", name, "strategy", GeneratorLabels.strategy(snowflakes));
                var meters = new Meters<>(snowflakes, SnowflakeIdGenerator::statistics, tags, registry);
                bindIds(meters);
                snowflakes.leaseTerms().ifPresent(terms -> bindLease(meters, terms));
            }
        });
    }

    private static void bindIds(Meters<SnowflakeIdGenerator, GeneratorStatistics> meters) {
        meters.counter("snowflake.ids.issued", "IDs that were issued", GeneratorStatistics::issued);
        meters.waited("snowflake.ids.waited", "Time that callers waited for IDs", GeneratorStatistics::waited);
        for (Refusal reason : Refusal.values()) {
            meters.with("reason", reason.name().toLowerCase(Locale.ROOT).replace('_', '-'))
                    .counter(
                            "snowflake.ids.refused",
                            "Calls that got no ID",
                            statistics -> statistics.refusals().getOrDefault(reason, 0L));
        }
        meters.time("snowflake.drift", "How far the last ID is ahead of the clock", GeneratorStatistics::drift);
        meters.gauge(
                "snowflake.ticker.running",
                "Whether a thread reads the clock on behalf of callers because many IDs are needed",
                statistics -> statistics.tickerRunning() ? 1 : 0);
    }

    private void bindLease(Meters<SnowflakeIdGenerator, GeneratorStatistics> meters, LeaseTerms terms) {
        meters.time(
                "snowflake.lease.remaining",
                "How long IDs are still issued if the lease is not renewed",
                any -> meters.object()
                        .lease()
                        .map(lease -> GeneratorLabels.remaining(lease, clock.instant()))
                        .orElse(Duration.ZERO));
        for (State state : State.values()) {
            meters.with("state", state.name().toLowerCase(Locale.ROOT))
                    .gauge(
                            "snowflake.lease.state",
                            "Whether the lease is in a state",
                            any -> meters.object()
                                    .lease()
                                    .filter(lease -> lease.state() == state)
                                    .map(lease -> 1)
                                    .orElse(0));
        }
        meters.counter(
                "snowflake.lease.acquisitions", "Worker IDs that were leased", GeneratorStatistics::acquisitions);
        meters.counter("snowflake.lease.renewals", "Confirmed renewals of leases", GeneratorStatistics::renewals);
        meters.counter(
                "snowflake.lease.failures",
                "Failed attempts to acquire or renew a lease",
                GeneratorStatistics::failures);
        // The registry may have to load classes, such as database drivers.
        ClassLoader loader = terms.registry().getClass().getClassLoader();
        Executor reader = read -> DaemonThreads.start("snowflake-meters", read, loader);
        var workers = meters.of(new WorkerIdCount(meters.object(), terms, System::nanoTime, reader));
        workers.time(
                "snowflake.clock.skew",
                "How far the registry's clock is ahead of this machine's clock, as of the last minutes",
                WorkerIdCount::skew);
        workers.with("state", "leased").gauge("snowflake.workers", WORKERS, WorkerIdCount::leased);
        workers.with("state", "free").gauge("snowflake.workers", WORKERS, WorkerIdCount::free);
    }

    private static void bindSegments(Meters<SegmentIdGenerator, SegmentStatistics> meters) {
        meters.counter("snowflake.segment.issued", "Numbers that were issued", SegmentStatistics::issued);
        meters.waited("snowflake.segment.waited", "Time that callers waited for numbers", SegmentStatistics::waited);
        meters.counter("snowflake.segment.refused", "Calls that got no number", SegmentStatistics::refused);
        meters.counter(
                "snowflake.segment.fetches", "Segments that were fetched from the stores", SegmentStatistics::fetches);
        meters.counter("snowflake.segment.failures", "Failed attempts to fetch a segment", SegmentStatistics::failures);
        meters.gauge(
                "snowflake.segment.remaining",
                "Numbers that can be issued without the store",
                SegmentStatistics::remaining);
        meters.gauge("snowflake.segment.step", "Size of the last segment", SegmentStatistics::step);
        meters.gauge(
                "snowflake.segment.stores.unavailable",
                "Stores that are excluded because they do not answer or cannot be used",
                any -> meters.object().excludedStores().size());
        meters.gauge(
                "snowflake.segment.used",
                "Share of all numbers that was fetched from the stores",
                statistics -> used(meters.object(), statistics));
    }

    private static double used(SegmentIdGenerator of, SegmentStatistics statistics) {
        double all = (double) of.maxId() - of.initialValue() + 1;
        return Math.max(0, statistics.last() - of.initialValue() + 1) / all;
    }

    /**
     * Registers the meters of an object. Gauges reference the object strongly, because nothing else references a
     * {@link WorkerIdCount}.
     *
     * @param statistics returns the statistics of the object
     */
    record Meters<T, S>(T object, Function<T, S> statistics, Tags tags, MeterRegistry registry) {

        Meters<T, S> with(String tag, String value) {
            return new Meters<>(object, statistics, tags.and(tag, value), registry);
        }

        <O> Meters<O, O> of(O other) {
            return new Meters<>(other, Function.identity(), tags, registry);
        }

        void counter(String name, String description, ToDoubleFunction<S> count) {
            counter(name, description, null, count);
        }

        void waited(String name, String description, Function<S, Duration> time) {
            counter(name, description, "seconds", each -> seconds(time.apply(each)));
        }

        private void counter(String name, String description, @Nullable String unit, ToDoubleFunction<S> count) {
            FunctionCounter.builder(name, object, of -> count.applyAsDouble(statistics.apply(of)))
                    .description(description)
                    .baseUnit(unit)
                    .tags(tags)
                    .register(registry);
        }

        void gauge(String name, String description, ToDoubleFunction<S> value) {
            Gauge.builder(name, object, of -> value.applyAsDouble(statistics.apply(of)))
                    .description(description)
                    .strongReference(true)
                    .tags(tags)
                    .register(registry);
        }

        void time(String name, String description, Function<S, Duration> time) {
            TimeGauge.builder(name, object, TimeUnit.SECONDS, of -> seconds(time.apply(statistics.apply(of))))
                    .description(description)
                    .strongReference(true)
                    .tags(tags)
                    .register(registry);
        }

        private static double seconds(Duration duration) {
            return duration.toNanos() / 1e9;
        }
    }
}
