package io.github.snowflakeid.internal.data;

import io.github.snowflakeid.IdGenerator;
import io.github.snowflakeid.internal.mapping.IdType;
import java.util.function.ToLongFunction;
import org.springframework.data.mapping.PersistentProperty;
import org.springframework.data.mapping.PersistentPropertyAccessor;

/**
 * An attribute that gets IDs.
 *
 * @param <P> the attributes of a Spring Data module
 * @param property the attribute
 * @param type its type
 * @param ids the generator of its IDs
 * @param written the annotation as it is in the source, for messages
 */
public record IdProperty<P extends PersistentProperty<P>>(P property, IdType type, IdGenerator ids, String written) {

    /**
     * Returns whether the application has set the attribute.
     *
     * @param object an object that has the attribute
     * @return false if an ID must be generated
     */
    public boolean isSet(PersistentPropertyAccessor<?> object) {
        return type.isSet(object.getProperty(property));
    }

    /**
     * Sets the attribute to a new ID, unless it is set.
     *
     * @param object an object that has the attribute
     * @param source returns the next ID of a generator
     */
    public void fill(PersistentPropertyAccessor<?> object, ToLongFunction<IdGenerator> source) {
        if (!isSet(object)) {
            object.setProperty(property, next(source));
        }
    }

    /**
     * Returns a new ID.
     *
     * @param source returns the next ID of a generator
     * @return an object of the attribute's type
     */
    public Object next(ToLongFunction<IdGenerator> source) {
        return type.convert(source.applyAsLong(ids));
    }

    /**
     * Returns the ID of another object in the type of this attribute.
     *
     * @param id an ID, plain or typed
     * @return an object of the attribute's type
     */
    public Object copyOf(Object id) {
        IdType other = IdType.of(id.getClass());
        Object plain = other == null ? id : other.unwrap(id);
        return type.isText() ? type.wrap(String.valueOf(plain)) : type.convert(Long.parseLong(String.valueOf(plain)));
    }
}
