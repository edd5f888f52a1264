package io.github.snowflakeid.autoconfigure;

import io.github.snowflakeid.HostSource;
import io.github.snowflakeid.IdLayout;
import io.github.snowflakeid.LeaseTerms;
import io.github.snowflakeid.SnowflakeIdGenerator;
import io.github.snowflakeid.TimestampExhaustedException;
import io.github.snowflakeid.WorkerId;
import io.github.snowflakeid.WorkerIdAssigner;
import io.github.snowflakeid.WorkerIdUnavailableException;
import io.github.snowflakeid.WorkerRegistry;
import io.github.snowflakeid.internal.ControlCharacters;
import io.github.snowflakeid.internal.ForStarter;
import io.github.snowflakeid.internal.log.LeaseEvents;
import io.github.snowflakeid.internal.log.LeaseLog;
import io.github.snowflakeid.internal.store.GeneratorStores;
import io.github.snowflakeid.internal.store.LeaseSettings;
import io.github.snowflakeid.internal.store.WorkerRegistryFactory;
import io.github.snowflakeid.worker.BoundedRegistry;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.OptionalInt;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.beans.factory.BeanCreationException;
import org.springframework.beans.factory.BeanCurrentlyInCreationException;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * Creates Snowflake generators, and opens the stores that they lease their worker IDs from, according to their plans.
 */
final class SnowflakeGeneratorFactory {

    private static final Log LOG = LogFactory.getLog(SnowflakeIdGenerator.class);

    private static final Duration WARNING_AHEAD = Duration.ofDays(5 * 365);

    /** How long a store may take to answer, if the lease is long enough. */
    private static final Duration LONGEST_ANSWER = Duration.ofSeconds(8);

    private static final int ANSWERS_PER_TTL = 4;

    /**
     * The longest description of an owner. A long name of the application must not displace the host and the process.
     */
    private static final int LONGEST_INFO = 255;

    private SnowflakeGeneratorFactory() {}

    /** Creates the bean of a generator. */
    static SnowflakeIdGenerator generator(
            String name, ConfigurableListableBeanFactory beans, LeaseEvents events, GeneratorLifecycle lifecycle) {
        lifecycle.awaitLeases();
        GeneratorBeans generator = GeneratorBeans.of(name, beans);
        return generator.explaining(() -> create(generator, events, lifecycle));
    }

    /** Creates the bean of a generator's store. */
    static GeneratorStores<WorkerRegistry> store(
            String name, ConfigurableListableBeanFactory beans, GeneratorLifecycle lifecycle) {
        GeneratorBeans generator = GeneratorBeans.of(name, beans);
        return lifecycle.closeAtShutdown(generator.explaining(() -> open(GeneratorPlan.of(generator))));
    }

    private static SnowflakeIdGenerator create(
            GeneratorBeans generator, LeaseEvents events, GeneratorLifecycle lifecycle) {
        try {
            GeneratorPlan plan = GeneratorPlan.of(generator);
            if (plan.isLeased()) {
                return leased(plan, events, lifecycle);
            }
            WorkerIdAssigner assigner = plan.assigner();
            SnowflakeIdGenerator.Builder builder =
                    SnowflakeIdGenerator.builder().worker(assigner != null ? assigner : unleased(plan));
            return lifecycle.awaitAtStartup(build(plan, builder), () -> {});
        } catch (BeanCreationException e) {
            throw e.getMostSpecificCause() instanceof BeanCurrentlyInCreationException cycle
                    ? StartupFailures.tooEarly(cycle)
                    : e;
        }
    }

    private static SnowflakeIdGenerator leased(GeneratorPlan plan, LeaseEvents events, GeneratorLifecycle lifecycle) {
        WorkerRegistry registry = plan.registry() != null
                ? plan.registry()
                : (WorkerRegistry) plan.generator().generatorStores().stores().get(0);
        LeaseLog log = new LeaseLog(
                plan.generator().id().name(), plan.generator().label(), Clock.systemUTC(), System::nanoTime, events);
        LeaseTerms terms = terms(plan, registry).withListener(log);
        SnowflakeIdGenerator generator =
                build(plan, SnowflakeIdGenerator.builder().lease(terms));
        log.watch(() -> generator.statistics().drift().compareTo(generator.toleratedDrift()) > 0);
        return lifecycle.awaitAtStartup(generator, () -> {
            // It is opening already; this waits for its lease.
            generator.reopen();
            report(generator, plan);
        });
    }

    /** Returns the source of a worker ID that is fixed, or guessed from the host. */
    private static WorkerIdAssigner unleased(GeneratorPlan plan) {
        SnowflakeProperties.Worker worker = plan.properties().worker();
        HostSource source = worker.host().source();
        Integer datacenterId = plan.datacenterId();
        if (worker.id() != null) {
            return WorkerIdAssigner.fixed(datacenterId == null ? 0 : datacenterId, worker.id());
        }
        return datacenterId == null ? WorkerIdAssigner.host(source) : WorkerIdAssigner.host(source, datacenterId);
    }

    private static GeneratorStores<WorkerRegistry> open(GeneratorPlan plan) {
        WorkerRegistryFactory store = plan.store();
        if (store == null) {
            // Code that creates all beans of a context asks also for this one.
            return new GeneratorStores<>(List.of());
        }
        SnowflakeProperties.Lease lease = plan.properties().worker().lease();
        Integer datacenterId = plan.datacenterId();
        // This clock may be ahead by the permitted skew, IDs may be ahead of this clock, also IDs that callers wait
        // for, a lease may end within a tick, and times are rounded.
        Duration furthest = lease.ttl()
                .plus(lease.maxClockSkew())
                .plus(plan.maxDrift())
                .plus(plan.properties().clock().maxWait())
                .plus(plan.layout().tick().multipliedBy(2))
                .plus(Duration.ofSeconds(1));
        return new GeneratorStores<>(List.of(store.registry(new LeaseSettings(
                plan.generator(),
                lease.namespace(),
                plan.layout(),
                datacenterId == null ? OptionalInt.empty() : OptionalInt.of(datacenterId),
                furthest,
                longestAnswer(lease.ttl()),
                StartupFailures.setWorkerId(plan.layout())))));
    }

    private static LeaseTerms terms(GeneratorPlan plan, WorkerRegistry registry) {
        Integer datacenterId = plan.datacenterId();
        SnowflakeProperties.Lease lease = plan.properties().worker().lease();
        String process = ", " + LeaseTerms.processInfo();
        String name = ControlCharacters.toAscii(
                plan.generator().environment().getProperty("spring.application.name", "application"));
        String ownerInfo = name.substring(0, Math.min(name.length(), LONGEST_INFO - process.length())) + process;
        // Limits the calls to any registry, so that the lease's thread reports in time that the store does not answer.
        // The limit is longer than the timeouts of the library's stores that have any: their exceptions explain better
        // why.
        Duration limit = longestAnswer(lease.ttl()).multipliedBy(5).dividedBy(4);
        LeaseTerms terms = LeaseTerms.of(
                        registry instanceof BoundedRegistry ? registry : new BoundedRegistry(registry, limit))
                .withOwnerInfo(ownerInfo)
                .withTtl(lease.ttl())
                .withAcquireTimeout(lease.acquireTimeout())
                .withMaxClockSkew(lease.maxClockSkew());
        return datacenterId == null ? terms : terms.withDatacenterId(datacenterId);
    }

    /**
     * Returns how long a call to a store may take. A renewal starts every third of the ttl and must end before the next
     * one starts.
     */
    private static Duration longestAnswer(Duration ttl) {
        Duration share = Duration.ofMillis(Math.max(1, ttl.toMillis() / ANSWERS_PER_TTL));
        return share.compareTo(LONGEST_ANSWER) < 0 ? share : LONGEST_ANSWER;
    }

    /**
     * Creates a generator. If it leases, does not wait for the lease. In a training run, the generator is closed
     * instead.
     */
    private static SnowflakeIdGenerator build(GeneratorPlan plan, SnowflakeIdGenerator.Builder builder) {
        builder.name(plan.generator().id().name())
                .layout(plan.layout())
                .maxDrift(plan.maxDrift())
                .maxWait(plan.properties().clock().maxWait())
                .sequenceStart(plan.properties().sequence().toStart(plan.layout()));
        try {
            if (plan.isLeased() && GeneratorLifecycle.isTrainingRun()) {
                LOG.info(plan.generator().label() + GeneratorLifecycle.NO_IDS);
                return builder.buildClosed(ForStarter.KEY);
            }
            if (plan.isLeased()) {
                return builder.buildOpening(
                        ForStarter.KEY, e -> plan.generator().explain(StartupFailures.unavailable(e, plan)));
            }
            SnowflakeIdGenerator generator = builder.build();
            report(generator, plan);
            return generator;
        } catch (TimestampExhaustedException e) {
            throw StartupFailures.layoutEnded(e, plan);
        } catch (WorkerIdUnavailableException e) {
            throw StartupFailures.unavailable(e, plan);
        } catch (IllegalArgumentException e) {
            throw StartupFailures.rejected(e, plan, Instant.now());
        }
    }

    private static void report(SnowflakeIdGenerator generator, GeneratorPlan plan) {
        String label = plan.generator().label();
        IdLayout layout = plan.layout();
        Duration maxWait = plan.properties().clock().maxWait();
        WorkerId worker = generator.workerId();
        long maxDrift = plan.maxDrift().toMillis();
        LOG.info("%sGenerating IDs with worker ID %s, datacenter ID %s (%s), %s, max-drift %sms, max-wait %sms"
                .formatted(
                        label,
                        worker.workerId(),
                        worker.datacenterId(),
                        worker.origin(),
                        layout,
                        maxDrift,
                        maxWait.toMillis()));
        if (worker.warning() != null) {
            LOG.warn(label + "Worker ID " + worker.workerId() + " and datacenter ID " + worker.datacenterId() + " are "
                    + worker.warning()
                    + ". To lease a worker ID, add a DataSource, or select another store by '"
                    + plan.generator().id().property("snowflake.worker.strategy")
                    + (plan.generator().environment().containsProperty("KUBERNETES_SERVICE_HOST")
                            ? "', such as 'kubernetes', which needs a Role with the verbs get, list, create and update on leases.coordination.k8s.io for this pod"
                            : "'")
                    + "; or set '"
                    + plan.generator().id().property("snowflake.worker.id")
                    + "' to a different value in each process");
        }
        generator
                .idsBeginAt()
                .filter(begin -> Duration.between(Instant.now(), begin).compareTo(maxWait) > 0)
                .ifPresent(begin -> LOG.warn(label + "No IDs are issued before " + begin
                        + "; until then, calls fail with a ClockMovedBackwardsException. Another process may have used the"
                        + " current tick of " + layout.tick().toMillis()
                        + "ms with this worker ID. Lease a worker ID, use shorter ticks, or let calls wait with '"
                        + plan.generator().id().property("snowflake.clock.max-wait") + "'"));
        if (layout.end().isBefore(Instant.now().plus(WARNING_AHEAD))) {
            LOG.warn(label + "No IDs can be issued from " + layout.end() + " on: the layout is exhausted then");
        }
    }
}
