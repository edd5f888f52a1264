package io.github.snowflakeid.mybatis;

import io.github.snowflakeid.IdGenerator;
import io.github.snowflakeid.mapping.IdType;
import org.apache.ibatis.reflection.MetaObject;

/**
 * An attribute that gets an id before its object is inserted.
 *
 * @param name its name
 * @param annotation as it is in the source, for messages
 * @param type what it can hold
 * @param ids where they come from
 */
record FilledAttribute(String name, String annotation, IdType type, IdGenerator ids) {

    /** Keeps what the application has set. */
    void fill(MetaObject object) {
        if (!type.isSet(object.getValue(name))) {
            object.setValue(name, type.convert(ids.nextId()));
        }
    }
}
