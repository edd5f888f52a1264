package io.github.snowflakeid.hibernate;

/**
 * Settings of an {@code EntityManagerFactory} that say where the ids of its entities come from. The auto-configuration
 * sets them for every factory that is made by a Spring factory bean, unless they are set already. A factory that is made
 * otherwise needs them:
 *
 * <pre>{@code
 * Persistence.createEntityManagerFactory(
 *         unit, Map.of(SnowflakeSettings.ID_GENERATOR, ids, SnowflakeSettings.idGenerator("orders"), orders));
 * }</pre>
 *
 * <p>The value of a setting is one of these:
 *
 * <ul>
 *   <li>an {@link io.github.snowflakeid.IdGenerator};
 *   <li>a {@link java.util.function.Supplier} of one, which is called whenever an ID is needed, by any thread; if the attribute is an
 *       {@link Integer}, also when the factory is created;
 *   <li>a {@link java.util.function.Function} that returns such a supplier for the description of an attribute: it is called for each
 *       attribute that needs the generator when the factory is created, and may throw.
 * </ul>
 *
 * <p>A factory with none of these settings can be created all the same, to look at the mapping; it throws when an ID is needed.
 *
 * @since 0.1.0
 */
public final class SnowflakeSettings {

    /**
     * The generator of {@code @SnowflakeId} without a name, and of {@code @GeneratedValue(generator = "snowflake")}.
     */
    public static final String ID_GENERATOR = "snowflake.id-generator";

    /**
     * A {@link java.util.function.Supplier} of a collection of the classes that Hibernate manages. Their attributes may then be
     * typed IDs, such as a record with one component. It is called once, when the factory is created.
     */
    public static final String MANAGED_CLASSES = "snowflake.managed-classes";

    /** What the settings of generators with a name begin with. */
    static final String NAMED = ID_GENERATOR + ".";

    private SnowflakeSettings() {}

    /**
     * The setting for {@code @SnowflakeId("orders")}.
     *
     * @param name of the generator; an empty one gives {@link #ID_GENERATOR}
     * @return the name of the setting
     */
    public static String idGenerator(String name) {
        return name.isEmpty() ? ID_GENERATOR : NAMED + name;
    }
}
