package io.github.snowflakeid.autoconfigure;

import io.github.snowflakeid.IdLayout;
import io.github.snowflakeid.internal.mapping.IdGenerators;
import io.github.snowflakeid.internal.store.StoreSettings;
import java.time.Duration;
import java.util.OptionalInt;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.context.properties.bind.Bindable;

/** What the properties tell the store of a generator. */
record ConfiguredStore(
        GeneratorSettings settings,
        GeneratorProperties properties,
        IdLayout layout,
        ConfigurableListableBeanFactory beans)
        implements StoreSettings {

    /** As long as the answer of a database may take. */
    private static final Duration LONGEST_ANSWER = Duration.ofSeconds(8);

    /** So that a renewal, every third of a ttl, is not still under way when the next one is due. */
    private static final int ANSWERS_IN_A_TTL = 4;

    /** Where nothing else is left between two clocks. */
    private static final Duration ROUNDING = Duration.ofSeconds(1);

    @Override
    public String namespace() {
        return settings.of().worker().lease().namespace();
    }

    @Override
    public OptionalInt datacenterId() {
        Integer id = settings.of().datacenter().id();
        return id == null ? OptionalInt.empty() : OptionalInt.of(id);
    }

    @Override
    public Duration ttl() {
        return settings.of().worker().lease().ttl();
    }

    @Override
    public Duration furthest() {
        return ttl().plus(settings.of().worker().lease().maxClockSkew())
                .plus(ConfiguredGenerator.maxDriftOfLeased(settings.of()))
                .plus(layout.tick().multipliedBy(2))
                .plus(ROUNDING);
    }

    /** Returns how long a call to a store may take if a lease has this ttl. */
    static Duration longestAnswer(Duration ttl) {
        Duration share = Duration.ofMillis(Math.max(1, ttl.toMillis() / ANSWERS_IN_A_TTL));
        return share.compareTo(LONGEST_ANSWER) < 0 ? share : LONGEST_ANSWER;
    }

    @Override
    public Duration longestAnswer() {
        return longestAnswer(ttl());
    }

    @Override
    public String howToSetWorkerId() {
        return ConfiguredWorker.setWorkerId(layout);
    }

    @Override
    public <T> T properties(String group, T defaults) {
        return properties.bind(settings.generator(), "snowflake.worker." + group, Bindable.ofInstance(defaults), true);
    }

    @Override
    public <T> void endBefore(T bean, Class<T> type) {
        new GeneratorBeans(beans).destroyBefore(bean, type, IdGenerators.LIFECYCLE);
    }
}
