package io.github.snowflakeid.mybatis;

import org.apache.ibatis.reflection.MetaObject;
import org.jspecify.annotations.Nullable;

/**
 * An ID that was assigned to an object for its insert.
 *
 * @param object the object
 * @param attribute the attribute that holds the ID
 * @param before the value before: null, or 0 for a primitive
 * @param id the ID
 */
record AssignedId(
        MetaObject object, IdAttribute attribute, @Nullable Object before, long id) {

    void revert() {
        object.setValue(attribute.name(), before);
    }
}
