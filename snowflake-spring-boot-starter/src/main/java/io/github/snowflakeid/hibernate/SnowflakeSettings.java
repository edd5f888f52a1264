package io.github.snowflakeid.hibernate;

/**
 * Settings of an {@code EntityManagerFactory} that define the generators of its entities' IDs. The auto-configuration
 * sets them for every factory that is created by a Spring factory bean, unless they are already set. If you create a
 * factory yourself, pass them:
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
 *   <li>a {@link java.util.function.Supplier} of an {@code IdGenerator}. Any thread may call it, whenever an ID is
 *       needed. For an {@link Integer} attribute, it is also called when the factory is created;
 *   <li>a {@link java.util.function.Function} that returns such a supplier for the description of an attribute. It is
 *       called when the factory is created, for each attribute that needs the generator, and may throw.
 * </ul>
 *
 * <p>A factory without any of these settings can be created, for example to inspect the mapping. It throws an exception
 * when an ID is needed.
 *
 * @since 1.0
 */
public final class SnowflakeSettings {

    /**
     * Setting for the generator of {@code @SnowflakeId} without a name, and of
     * {@code @GeneratedValue(generator = "snowflake")}.
     */
    public static final String ID_GENERATOR = "snowflake.id-generator";

    /**
     * Setting for the classes that Hibernate manages: a {@link java.util.function.Supplier} of a collection of classes.
     * With it, their attributes can be typed IDs, such as a record with one component. It is needed only if the classes
     * are not listed in a JPA persistence unit: if Hibernate scans for them, or if they are added to Hibernate's own
     * {@code Configuration} or {@code MetadataSources}. The supplier is called once, when the factory is created.
     */
    public static final String MANAGED_CLASSES = "snowflake.managed-classes";

    /** Prefix of the settings for named generators. */
    static final String NAMED = ID_GENERATOR + ".";

    private SnowflakeSettings() {}

    /**
     * Returns the setting for a named generator, such as the generator of {@code @SnowflakeId("orders")}.
     *
     * @param name the name of the generator; if it is empty, {@link #ID_GENERATOR} is returned
     * @return the name of the setting
     */
    public static String idGenerator(String name) {
        return name.isEmpty() ? ID_GENERATOR : NAMED + name;
    }
}
