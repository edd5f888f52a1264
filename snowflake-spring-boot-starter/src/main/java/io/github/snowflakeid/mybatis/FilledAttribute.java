package io.github.snowflakeid.mybatis;

import io.github.snowflakeid.IdGenerator;
import io.github.snowflakeid.internal.mapping.IdMappingException;
import io.github.snowflakeid.internal.mapping.IdType;
import java.util.function.Supplier;
import org.apache.ibatis.reflection.MetaObject;
import org.jspecify.annotations.Nullable;

/**
 * An attribute that gets an id before its object is inserted.
 *
 * @param name its name
 * @param annotation as it is in the source, for messages
 * @param type what it can hold
 * @param ids where they come from
 * @param refusal why it cannot be set; null if it can be
 */
record FilledAttribute(
        String name,
        String annotation,
        IdType type,
        IdGenerator ids,
        @Nullable Supplier<IdMappingException> refusal) {

    /**
     * Keeps what the application has set.
     *
     * @return null if it has
     * @throws IdMappingException if there is nothing to keep and it cannot be set
     */
    @Nullable
    FilledValue fill(MetaObject object) {
        @Nullable Object before = object.getValue(name);
        if (type.isSet(before)) {
            return null;
        }
        if (refusal != null) {
            throw refusal.get();
        }
        FilledValue filled = new FilledValue(object, this, before, type.convert(ids.nextId()));
        filled.give();
        return filled;
    }
}
