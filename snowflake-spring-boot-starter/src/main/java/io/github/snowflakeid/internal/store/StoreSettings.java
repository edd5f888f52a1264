package io.github.snowflakeid.internal.store;

/** The settings of a generator that its store needs. */
public interface StoreSettings {

    /**
     * Returns the properties of a store. A property that this generator does not set has the value of the unnamed
     * generator.
     *
     * @param type a record with {@link org.springframework.boot.context.properties.ConfigurationProperties} for the
     *     unnamed generator
     * @param <T> the type
     * @return the properties
     */
    <T> T properties(Class<T> type);

    /**
     * Returns the properties of a store without inheriting values from the unnamed generator.
     *
     * @param type a record with {@link org.springframework.boot.context.properties.ConfigurationProperties} for the
     *     unnamed generator
     * @param <T> the type
     * @return the properties
     */
    <T> T ownProperties(Class<T> type);

    /**
     * Makes the generator release its worker ID or return its numbers before a bean is destroyed that the store needs
     * for that.
     *
     * @param bean the bean
     * @param type a type of the bean
     */
    void endBefore(Object bean, Class<?> type);
}
