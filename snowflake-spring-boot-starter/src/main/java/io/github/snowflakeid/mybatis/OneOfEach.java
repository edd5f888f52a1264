package io.github.snowflakeid.mybatis;

import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Parameters with one element of each collection: dynamic SQL says the same of all of them, and takes long for many. */
final class OneOfEach {

    private OneOfEach() {}

    /** The parameter itself, if there is nothing to leave out. */
    static Object of(Object parameter) {
        return parameter instanceof Map<?, ?> map ? of(map) : parameter;
    }

    @SuppressWarnings("ReferenceEquality") // What remains as it is is the same.
    private static Map<?, ?> of(Map<?, ?> map) {
        Map<@Nullable Object, @Nullable Object> fewer = new LinkedHashMap<>();
        boolean less = false;
        for (Map.Entry<?, ?> each : map.entrySet()) {
            @Nullable Object value = firstOf(each.getValue());
            less |= value != each.getValue();
            fewer.put(each.getKey(), value);
        }
        return less ? fewer : map;
    }

    private static @Nullable Object firstOf(@Nullable Object value) {
        if (value instanceof Collection<?> collection && collection.size() > 1) {
            Object first = collection.iterator().next();
            return value instanceof Set ? Collections.singleton(first) : Collections.singletonList(first);
        }
        if (value instanceof Object[] array && array.length > 1) {
            return Arrays.copyOf(array, 1);
        }
        return value instanceof Map<?, ?> map ? of(map) : value;
    }
}
