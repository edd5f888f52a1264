package io.github.snowflakeid.internal.mapping;

import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.springframework.core.CollectionFactory;

/** Replaces objects that get IDs in collections, maps and arrays. */
@SuppressWarnings("ReferenceEquality") // A changed copy must be saved even if it equals the object.
public final class Elements {

    private Elements() {}

    /**
     * Replaces the elements of a collection or an array, or the values of a map, also in containers of containers.
     *
     * @param container a container; or another object, which is replaced itself
     * @param change sets the IDs of an object, and returns it or a changed copy; not called with null
     * @return the container; a copy if objects were replaced by copies, or if it is a set with changed hash codes
     */
    public static @Nullable Object replace(@Nullable Object container, UnaryOperator<Object> change) {
        if (container instanceof Map<?, ?> map) {
            Map<Object, @Nullable Object> copy = CollectionFactory.createApproximateMap(map, map.size());
            map.forEach((key, value) -> copy.put(key, replace(value, change)));
            return map.keySet().stream().allMatch(key -> copy.get(key) == map.get(key)) ? map : copy;
        }
        if (container instanceof Collection<?> elements) {
            Collection<@Nullable Object> copy =
                    CollectionFactory.createApproximateCollection(elements, elements.size());
            boolean isChanged = false;
            for (Object element : elements) {
                boolean isFound = elements instanceof Set && elements.contains(element);
                Object replaced = replace(element, change);
                // Hash codes of elements may depend on IDs.
                isChanged |= replaced != element || (isFound && !elements.contains(element));
                copy.add(replaced);
            }
            return isChanged ? copy : elements;
        }
        if (container instanceof Object[] array) {
            Arrays.<@Nullable Object>asList(array).replaceAll(element -> replace(element, change));
            return array;
        }
        return container == null ? null : change.apply(container);
    }
}
