package io.github.snowflakeid.autoconfigure;

import io.github.snowflakeid.IdLayout;
import io.github.snowflakeid.WorkerIdUnavailableException;
import io.github.snowflakeid.failure.ConfigurationException;
import io.github.snowflakeid.internal.failure.Causes;
import io.github.snowflakeid.internal.failure.Problem;
import java.time.Instant;
import java.util.function.Supplier;
import org.springframework.beans.factory.BeanCurrentlyInCreationException;

/** Turns failures of the core at startup into exceptions with an action. */
final class StartupFailures {

    private StartupFailures() {}

    static ConfigurationException tooEarly(BeanCurrentlyInCreationException e) {
        return Problem.GENERATOR_TOO_EARLY.exception(
                "No worker ID can be leased before bean '%s' is created, but an entity listener, an attribute converter or another bean that '%1$s' needs requires the generator."
                        .formatted(e.getBeanName()),
                """
                Inject the generator lazily there:

                OrderListener(@Lazy IdGenerator ids) { ... }

                or, if worker IDs are leased late only because scripts run after Hibernate, run them before:

                spring.jpa.defer-datasource-initialization: false""",
                e);
    }

    static ConfigurationException layoutEnded(RuntimeException e, GeneratorPlan plan) {
        return layout(Problem.LAYOUT_ENDED, e, plan, "that is not exhausted", """
                If no IDs are stored yet, use a layout that is not exhausted, without a tick and bits:

                {snowflake}.layout: default
                {snowflake}.epoch: %s""");
    }

    /** Returns the exception for a layout or a worker ID that the generator rejects. */
    static ConfigurationException rejected(IllegalArgumentException e, GeneratorPlan plan, Instant now) {
        return plan.layout().epoch().isAfter(now)
                ? layout(Problem.INVALID_LAYOUT, e, plan, "whose epoch is in the past", """
                        If that instant has passed, set the clock of this machine. Otherwise, set an instant in the past, and never \
                        change it once IDs are stored:

                        {snowflake}.epoch: %s""")
                : notAssigned(e, plan.layout());
    }

    private static ConfigurationException layout(
            Problem problem, RuntimeException e, GeneratorPlan plan, String valid, String action) {
        return problem.exception(
                e,
                plan.isLayoutOfBean()
                        ? "Let the IdLayout bean return a layout " + valid + "."
                        : action.formatted(IdLayout.DEFAULT.epoch()));
    }

    private static ConfigurationException notAssigned(RuntimeException fromWorkerIdAssigner, IdLayout layout) {
        return Problem.INVALID_WORKER_ID.exception(
                "The WorkerIdAssigner bean returns no usable worker ID: " + fromWorkerIdAssigner.getMessage() + ".",
                "Let the bean return a worker ID from 0 to %s and a datacenter ID from 0 to %s, or remove the bean."
                        .formatted(layout.maxWorkerId(), layout.maxDatacenterId()),
                fromWorkerIdAssigner);
    }

    /** Returns the exception for a failure that a store may explain. */
    static ConfigurationException ofStore(RuntimeException e, Supplier<ConfigurationException> otherwise) {
        for (Throwable cause : Causes.of(e)) {
            if (cause instanceof ConfigurationException store && store.action().isPresent()) {
                return store.causing(e);
            }
        }
        return otherwise.get();
    }

    static ConfigurationException unavailable(WorkerIdUnavailableException e, GeneratorPlan plan) {
        return ofStore(e, () -> switch (e.reason()) {
            case NOT_ASSIGNED ->
                plan.assigner() != null
                        ? notAssigned(e, plan.layout())
                        : Problem.MISSING_WORKER_ID.exception(e, setWorkerId(plan.layout()));
            case ALL_LEASED ->
                Problem.ALL_WORKER_IDS_LEASED.exception(
                        e,
                        "Stop processes that are no longer needed, or wait. If this machine's clock is behind, synchronize it with NTP."
                                + (plan.datacenterId() == null
                                        ? ""
                                        : " Unless '{snowflake}.datacenter.id' keeps these processes apart from another store, namespace or library, remove it to lease worker IDs of every datacenter ID."));
            case REGISTRY_UNREACHABLE ->
                Problem.STORE_UNREACHABLE.exception(e, "Start the store, and check that this process can reach it.");
            case CANCELLED -> Problem.STARTUP_CANCELLED.exception(e, "Start the application again.");
            case REGISTRY_UNUSABLE, REGISTRY_LOST -> Problem.STORE_UNUSABLE.exception(e, "Repair the store.");
            case CLOCK_SKEW ->
                Problem.CLOCK_SKEW.exception(e, "Synchronize the clocks of this machine and of the store with NTP.");
            case LAYOUT_MISMATCH -> Problem.LAYOUT_MISMATCH.exception(e, "Use the layout of the other processes.");
        });
    }

    /**
     * Returns the advice to set a worker ID. Suggests no concrete number: users would paste it into a configuration
     * that several processes share.
     */
    static String setWorkerId(IdLayout layout) {
        return """
                Give each process that runs at the same time a different worker ID from 0 to %s. Take it from an environment variable whose \
                value differs from process to process, such as the index of a pod in a Kubernetes StatefulSet:

                {snowflake}.worker.strategy: fixed
                {snowflake}.worker.id: ${{GENERATOR_}WORKER_ID}""".formatted(layout.maxWorkerId());
    }
}
