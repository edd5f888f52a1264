package io.github.snowflakeid.internal.store;

/** What a {@link SegmentStoreFactory} has to know of a generator. */
public interface SegmentSettings {

    /**
     * The properties of the store: those of this generator, else those of the unnamed one.
     *
     * @param group as in {@code snowflake.segment.<group>}
     * @param defaults an object with setters, which has the defaults
     * @param <T> its type
     * @return the same object, bound
     */
    <T> T properties(String group, T defaults);

    /**
     * The properties of the store that this generator sets itself.
     *
     * @param group as in {@code snowflake.segment.<group>}
     * @param defaults an object with setters, which has the defaults
     * @param <T> its type
     * @return the same object, bound
     */
    <T> T own(String group, T defaults);

    /**
     * Lets the generator give its numbers back before a bean is destroyed that the store needs for that.
     *
     * @param bean the bean
     * @param type a type of it
     * @param <T> that type
     */
    <T> void endBefore(T bean, Class<T> type);
}
