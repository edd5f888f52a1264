package io.github.snowflakeid.autoconfigure;

import io.github.snowflakeid.failure.ConfigurationException;
import io.github.snowflakeid.internal.ForStarter;
import io.github.snowflakeid.internal.failure.Problem;
import io.github.snowflakeid.internal.log.SegmentLog;
import io.github.snowflakeid.internal.store.GeneratorStores;
import io.github.snowflakeid.internal.store.SegmentStoreFactory;
import io.github.snowflakeid.segment.NumbersUnavailableException;
import io.github.snowflakeid.segment.SegmentIdGenerator;
import io.github.snowflakeid.segment.SegmentStore;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.commons.logging.LogFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * Creates generators of sequential numbers from their properties. A generator uses the store that
 * {@code snowflake.segment.store} selects. If that is not set, it uses the store bean with its name as qualifier, else
 * the application's store beans without a qualifier, else a database.
 */
final class SegmentGeneratorFactory {

    private SegmentGeneratorFactory() {}

    /**
     * Creates the bean of a generator.
     *
     * @param ofApplication store beans of the application, for all generators
     */
    static SegmentIdGenerator generator(
            String name,
            ObjectProvider<SegmentStore> ofApplication,
            ConfigurableListableBeanFactory beans,
            GeneratorLifecycle lifecycle) {
        GeneratorBeans generator = GeneratorBeans.of(name, beans);
        return lifecycle.awaitAtStartup(generator.explaining(() -> create(generator, ofApplication)), () -> {});
    }

    /** Creates the bean of a generator's store. */
    static GeneratorStores<SegmentStore> store(
            String name, ConfigurableListableBeanFactory beans, GeneratorLifecycle lifecycle) {
        GeneratorBeans generator = GeneratorBeans.of(name, beans);
        return lifecycle.closeAtShutdown(generator.explaining(() -> open(generator)));
    }

    @SuppressWarnings("unchecked") // A generator of sequential numbers has no other stores.
    private static List<SegmentStore> stores(
            GeneratorBeans generator, SegmentProperties segments, ObjectProvider<SegmentStore> ofApplication) {
        if (segments.store() == null) {
            SegmentStore qualified = generator.qualified(SegmentStore.class);
            List<SegmentStore> own = qualified != null
                    ? List.of(qualified)
                    : ofApplication.orderedStream().toList();
            if (!own.isEmpty()) {
                own.forEach(store -> generator.endBefore(store, SegmentStore.class));
                return own;
            }
        }
        return (List<SegmentStore>) generator.generatorStores().stores();
    }

    private static GeneratorStores<SegmentStore> open(GeneratorBeans generator) {
        String set = generator.properties(SegmentProperties.class).store();
        SegmentStoreFactory store =
                generator.select(SegmentStoreFactory.class, set, "{snowflake}.segment.store", List.of());
        if (set == null && !store.canCount(generator)) {
            throw Problem.MISSING_STORE.exception(
                    "Generator '%s' is of type 'segment', but there is no DataSource, no URL of a database, and no SegmentStore bean."
                            .formatted(generator.id().qualifier()),
                    """
                    Add the driver of your database, and set its URL:

                    {snowflake}.segment.jdbc.urls: jdbc:postgresql://localhost/shop

                    or keep the counter in Redis, with Spring Data Redis on the class path:

                    {snowflake}.segment.store: redis""");
        }
        return new GeneratorStores<>(store.stores(generator));
    }

    private static SegmentIdGenerator create(GeneratorBeans generator, ObjectProvider<SegmentStore> ofApplication) {
        SegmentProperties properties = generator.properties(SegmentProperties.class);
        String counter = properties.name() == null ? generator.id().qualifier() : properties.name();
        List<SegmentStore> stores = stores(generator, properties, ofApplication);
        String label = generator.label();
        try {
            SegmentIdGenerator.Builder builder = SegmentIdGenerator.builder()
                    .name(counter)
                    .stores(stores)
                    .initialValue(properties.initialValue())
                    .maxValue(properties.maxValue())
                    .minStep(properties.minStep())
                    .maxStep(properties.maxStep())
                    .targetDuration(properties.targetDuration())
                    .maxWait(properties.maxWait())
                    .listener(new SegmentLog(counter, label, System::nanoTime));
            if (GeneratorLifecycle.isTrainingRun()) {
                LogFactory.getLog(SegmentIdGenerator.class).info(label + GeneratorLifecycle.NO_IDS);
                return builder.buildClosed(ForStarter.KEY);
            }
            SegmentIdGenerator created = builder.build();
            String from = stores.stream().map(SegmentStore::description).collect(Collectors.joining(", "));
            LogFactory.getLog(SegmentIdGenerator.class)
                    .info("%sIssuing numbers of counter '%s', %s to %s, in segments of %s to %s, from %s"
                            .formatted(
                                    label,
                                    counter,
                                    properties.initialValue(),
                                    properties.maxValue(),
                                    properties.minStep(),
                                    properties.maxStep(),
                                    from));
            return created;
        } catch (NumbersUnavailableException e) {
            throw unavailable(e, counter);
        } catch (IllegalArgumentException e) {
            throw Problem.INVALID_PROPERTY.exception(
                    "Invalid '{snowflake}.segment': " + e.getMessage() + ".",
                    "Correct the properties below '{snowflake}.segment'.",
                    e);
        }
    }

    private static ConfigurationException unavailable(NumbersUnavailableException e, String counter) {
        return StartupFailures.ofStore(e, () -> switch (e.reason()) {
            case STORE_UNREACHABLE ->
                Problem.STORE_UNREACHABLE.exception(e, "Start the store, and check that this process can reach it.");
            case STORE_UNUSABLE -> Problem.STORE_UNUSABLE.exception(e, "Repair the store.");
            case EXHAUSTED -> Problem.NUMBERS_EXHAUSTED.exception(e, """
                    If the column can hold greater numbers, raise the limit:

                    {snowflake}.segment.max-value: %s

                    or, if no row contains the old numbers any more, start another counter:

                    {snowflake}.segment.name: %s2""".formatted(Long.MAX_VALUE, counter));
            case COUNTER_MISMATCH -> Problem.COUNTER_MISMATCH.exception(e, """
                    Use the same stores and the same initial value as the other processes of this counter, each store once and in the same \
                    order, or use another counter:

                    {snowflake}.segment.name: %s2""".formatted(counter));
            case COUNTER_MOVED_BACK ->
                Problem.COUNTER_MOVED_BACK.exception(
                        e, "Set the counter in the store above the highest number in any row.");
        });
    }
}
