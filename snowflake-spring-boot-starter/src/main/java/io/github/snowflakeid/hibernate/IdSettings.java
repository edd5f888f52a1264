package io.github.snowflakeid.hibernate;

import io.github.snowflakeid.IdGenerator;
import java.util.Locale;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import org.hibernate.engine.config.spi.ConfigurationService;
import org.hibernate.service.ServiceRegistry;
import org.jspecify.annotations.Nullable;

/** What an {@code EntityManagerFactory} was told by {@link SnowflakeSettings}. */
record IdSettings(Map<String, Object> settings) {

    /** Names with more characters between what they begin and end with alike mean different generators. */
    private static final int MOST_MISTAKES = 2;

    static IdSettings of(ServiceRegistry services) {
        return new IdSettings(
                services.requireService(ConfigurationService.class).getSettings());
    }

    /**
     * A generator.
     *
     * @param generator its name, empty for the one without
     * @param attribute that needs it
     * @return null if the factory was given no generator at all
     */
    @Nullable
    IdGenerator ids(String generator, String attribute) {
        String setting = SnowflakeSettings.idGenerator(generator);
        @Nullable Object ids = settings.get(setting);
        if (ids instanceof RuntimeException noneToChoose) {
            throw noneToChoose;
        }
        if (ids == null) {
            refuseUnknown(generator, attribute);
        } else if (!(ids instanceof IdGenerator)) {
            throw new IdMappingException(
                    "Setting '%s' of the EntityManagerFactory must be an IdGenerator, but is a %s"
                            .formatted(setting, ids.getClass().getName()),
                    "Set an IdGenerator:\n\n" + factoryWith(generator));
        }
        return (IdGenerator) ids;
    }

    static IdMappingException missing(String generator, String attribute) {
        return new IdMappingException(
                "No Snowflake ids for attribute %s: setting '%s' of its EntityManagerFactory is missing"
                        .formatted(attribute, SnowflakeSettings.idGenerator(generator)),
                """
                Let Spring make the EntityManagerFactory, by a LocalContainerEntityManagerFactoryBean, with:

                %s

                Where it is made otherwise, set an IdGenerator:

                %s""".formatted(
                        generator.isEmpty() ? "snowflake.enabled: true" : property(generator), factoryWith(generator)));
    }

    private void refuseUnknown(String generator, String attribute) {
        SortedSet<String> names = names();
        if (generator.isEmpty() && !names.isEmpty()) {
            throw missing(generator, attribute);
        }
        if (!names.isEmpty() || settings.containsKey(SnowflakeSettings.ID_GENERATOR)) {
            throw unknown(generator, attribute, names);
        }
    }

    private SortedSet<String> names() {
        SortedSet<String> names = new TreeSet<>();
        for (String setting : settings.keySet()) {
            if (setting.startsWith(SnowflakeSettings.NAMED)) {
                names.add(setting.substring(SnowflakeSettings.NAMED.length()));
            }
        }
        return names;
    }

    private static IdMappingException unknown(String generator, String attribute, SortedSet<String> names) {
        @Nullable String meant = nearest(generator, names);
        String definition = """
                :

                %s

                Where the EntityManagerFactory is made without Spring, set an IdGenerator:

                %s""".formatted(property(generator), factoryWith(generator));
        return new IdMappingException(
                "Attribute %s is to get ids of generator '%s', but there is none%s"
                        .formatted(
                                attribute,
                                generator,
                                names.isEmpty() ? " by name" : "; there are: '" + String.join("', '", names) + "'"),
                meant == null ? "Define the generator" + definition : """
                        Correct the name:

                        @SnowflakeId("%s")

                        or define the generator%s""".formatted(meant, definition));
    }

    private static @Nullable String nearest(String generator, SortedSet<String> names) {
        @Nullable String nearest = null;
        for (String name : names) {
            int mistakes = difference(generator, name);
            if (mistakes <= MOST_MISTAKES
                    && 2 * mistakes < name.length()
                    && (nearest == null || mistakes < difference(generator, nearest))) {
                nearest = name;
            }
        }
        return nearest;
    }

    /** How many characters lie between what two names begin and end with alike. */
    private static int difference(String one, String other) {
        int shorter = Math.min(one.length(), other.length());
        int start = 0;
        while (start < shorter && one.charAt(start) == other.charAt(start)) {
            start++;
        }
        int end = 0;
        while (end < shorter - start && one.charAt(one.length() - 1 - end) == other.charAt(other.length() - 1 - end)) {
            end++;
        }
        return Math.max(one.length(), other.length()) - start - end;
    }

    /** A name has lower-case letters and digits only. */
    private static String property(String generator) {
        String name = generator.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]|^[0-9]+", "");
        if (name.equals(generator)) {
            return "snowflake.generators." + name + ".layout: default";
        }
        return "snowflake.generators.%s.layout: default\n\n@SnowflakeId(\"%1$s\")"
                .formatted(name.isEmpty() ? "orders" : name);
    }

    private static String factoryWith(String generator) {
        return "Persistence.createEntityManagerFactory(unit, Map.of(%s, idGenerator))"
                .formatted(
                        generator.isEmpty()
                                ? "SnowflakeSettings.ID_GENERATOR"
                                : "SnowflakeSettings.idGenerator(\"" + generator + "\")");
    }
}
