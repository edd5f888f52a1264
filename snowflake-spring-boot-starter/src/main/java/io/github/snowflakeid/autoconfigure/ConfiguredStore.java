package io.github.snowflakeid.autoconfigure;

import io.github.snowflakeid.IdLayout;
import io.github.snowflakeid.internal.failure.Problem;
import io.github.snowflakeid.internal.mapping.IdGenerators;
import io.github.snowflakeid.internal.store.StoreSettings;
import java.time.Duration;
import java.util.OptionalInt;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.context.properties.bind.BindContext;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.core.env.Environment;

/** What the properties tell the store of a generator. */
record ConfiguredStore(
        SnowflakeProperties of, IdLayout layout, Environment environment, ConfigurableListableBeanFactory beans)
        implements StoreSettings {

    /** As long as the answer of a database may take. */
    private static final Duration LONGEST_ANSWER = Duration.ofSeconds(8);

    /** So that a renewal, every third of a ttl, is not still under way when the next one is due. */
    private static final int ANSWERS_IN_A_TTL = 4;

    /** Where nothing else is left between two clocks. */
    private static final Duration ROUNDING = Duration.ofSeconds(1);

    @Override
    public String namespace() {
        return of.getWorker().getLease().getNamespace();
    }

    @Override
    public OptionalInt datacenterId() {
        Integer id = of.getDatacenter().getId();
        return id == null ? OptionalInt.empty() : OptionalInt.of(id);
    }

    @Override
    public Duration ttl() {
        return of.getWorker().getLease().getTtl();
    }

    @Override
    public Duration furthest() {
        return ttl().plus(of.getWorker().getLease().getMaxClockSkew())
                .plus(ConfiguredGenerator.maxDriftOfLeased(of))
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
        String property = PropertyNames.PREFIX + ".worker." + group;
        Bindable<T> bindable = Bindable.ofInstance(defaults);
        bind(property, bindable);
        if (of.generator().isNamed()) {
            bind(of.generator().property(property), bindable);
        }
        return bindable.getValue().get();
    }

    private void bind(String group, Bindable<?> bindable) {
        SnowflakeProperties.binder(group, environment).bind(group, bindable, new RefusesPlaceholders());
    }

    /** Spring Boot leaves a placeholder as it is if nothing has its name. */
    private static final class RefusesPlaceholders implements BindHandler {

        @Override
        public Object onSuccess(
                ConfigurationPropertyName name, Bindable<?> target, BindContext context, Object result) {
            if (result instanceof String value && value.startsWith("${") && value.endsWith("}")) {
                throw Problem.UNSET_PLACEHOLDER.exception(
                        "Property '%s' refers to what is not set: '%s'.".formatted(name, value),
                        "Set what it refers to, or give '%s' its value itself.".formatted(name));
            }
            return result;
        }
    }

    @Override
    public <T> void endBefore(T bean, Class<T> type) {
        new GeneratorBeans(beans).destroyBefore(bean, type, IdGenerators.LIFECYCLE);
    }
}
