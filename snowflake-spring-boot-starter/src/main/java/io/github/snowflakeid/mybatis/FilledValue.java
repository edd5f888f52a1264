package io.github.snowflakeid.mybatis;

import org.apache.ibatis.reflection.MetaObject;
import org.jspecify.annotations.Nullable;

/**
 * An id that an object has got for its insert.
 *
 * @param object what has it
 * @param attribute where
 * @param before what was there: null, or 0 in a primitive
 * @param id in the type of the attribute
 */
record FilledValue(
        MetaObject object,
        FilledAttribute attribute,
        @Nullable Object before,
        Object id) {

    void takeBack() {
        object.setValue(attribute.name(), before);
    }

    void give() {
        object.setValue(attribute.name(), id);
    }

    @SuppressWarnings("ReferenceEquality") // Another row may equal the object.
    boolean isIn(@Nullable Object candidate) {
        return candidate == object.getOriginalObject();
    }

    /** Whether that is the same attribute of an object of the same class. */
    boolean isLike(FilledValue other) {
        return attribute.name().equals(other.attribute.name())
                && object.getOriginalObject().getClass()
                        == other.object.getOriginalObject().getClass();
    }
}
