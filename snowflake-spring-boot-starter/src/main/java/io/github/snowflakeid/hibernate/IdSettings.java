package io.github.snowflakeid.hibernate;

import io.github.snowflakeid.IdGenerator;
import io.github.snowflakeid.failure.ConfigurationException;
import io.github.snowflakeid.internal.failure.Problem;
import io.github.snowflakeid.internal.mapping.MappingErrors;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.hibernate.engine.config.spi.ConfigurationService;
import org.hibernate.service.ServiceRegistry;
import org.jspecify.annotations.Nullable;

/**
 * Reads the {@link SnowflakeSettings} of an {@code EntityManagerFactory}.
 *
 * @param settings all settings of the factory
 */
record IdSettings(Map<String, Object> settings) {

    static IdSettings of(ServiceRegistry services) {
        return new IdSettings(
                services.requireService(ConfigurationService.class).getSettings());
    }

    /**
     * Returns a supplier of a generator. The generator may not exist before the supplier is called.
     *
     * @param generator the name of the generator, empty for the unnamed generator
     * @param attribute the attribute that needs it, for messages
     * @return the supplier; null if the settings contain no generator at all
     */
    @Nullable
    Supplier<IdGenerator> ids(String generator, String attribute) {
        String setting = SnowflakeSettings.idGenerator(generator);
        @Nullable Object ids = settings.get(setting);
        if (ids == null) {
            rejectUnknown(generator, attribute);
            return null;
        }
        if (ids instanceof Function<?, ?>) {
            @SuppressWarnings("unchecked") // Required by SnowflakeSettings.
            Function<String, Supplier<IdGenerator>> needed = (Function<String, Supplier<IdGenerator>>) ids;
            return needed.apply(attribute);
        }
        if (ids instanceof IdGenerator created) {
            return () -> created;
        }
        if (ids instanceof Supplier<?> later) {
            return () -> (IdGenerator) later.get();
        }
        throw Problem.MISSING_GENERATOR.exception(
                "Setting '%s' of the EntityManagerFactory must be an IdGenerator, but is a %s"
                        .formatted(setting, ids.getClass().getName()),
                "Set an IdGenerator:\n\n" + factoryWith(generator));
    }

    static ConfigurationException missing(String generator, String attribute) {
        return Problem.MISSING_GENERATOR.exception(
                "No Snowflake ID for attribute %s: setting '%s' of its EntityManagerFactory is missing"
                        .formatted(attribute, SnowflakeSettings.idGenerator(generator)),
                """
                Define the generator, unless it is already defined:

                %s

                Create the EntityManagerFactory with Spring's LocalContainerEntityManagerFactoryBean. If you create it without Spring, set an IdGenerator:

                %s""".formatted(
                                generator.isEmpty() ? "snowflake.enabled: true" : MappingErrors.definition(generator),
                                factoryWith(generator)));
    }

    private void rejectUnknown(String generator, String attribute) {
        SortedSet<String> names = settings.keySet().stream()
                .filter(setting -> setting.startsWith(SnowflakeSettings.NAMED))
                .map(setting -> setting.substring(SnowflakeSettings.NAMED.length()))
                .collect(Collectors.toCollection(TreeSet::new));
        if (generator.isEmpty() && !names.isEmpty()) {
            throw missing(generator, attribute);
        }
        if (!names.isEmpty() || settings.containsKey(SnowflakeSettings.ID_GENERATOR)) {
            throw MappingErrors.unknownGenerator(
                    generator, "Attribute " + attribute, names, """
                    If you create the EntityManagerFactory without Spring, set an IdGenerator:

                    %s""".formatted(factoryWith(generator)));
        }
    }

    private static String factoryWith(String generator) {
        return "Persistence.createEntityManagerFactory(unit, Map.of(%s, idGenerator))"
                .formatted(
                        generator.isEmpty()
                                ? "SnowflakeSettings.ID_GENERATOR"
                                : "SnowflakeSettings.idGenerator(\"" + generator + "\")");
    }
}
