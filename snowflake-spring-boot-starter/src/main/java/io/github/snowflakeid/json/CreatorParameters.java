package io.github.snowflakeid.json;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ReflectionUtils;

/**
 * Which fields the parameters of constructors and factory methods set. Jackson lets a parameter have the annotations of its field,
 * except if it does not see the field: Jackson 3 sees no final field, and no Jackson a private field without a getter.
 */
public final class CreatorParameters {

    private CreatorParameters() {}

    /**
     * Returns the field that a parameter sets.
     *
     * @param creator a constructor or a factory method
     * @param index the index of the parameter
     * @param property what Jackson calls the parameter, or null
     * @return the field with the name of the parameter, or else with the name of the property; null if there is neither
     */
    public static @Nullable Field fieldOf(Executable creator, int index, @Nullable JsonProperty property) {
        Class<?> type = creator.getDeclaringClass();
        Field field = ReflectionUtils.findField(type, creator.getParameters()[index].getName());
        return field == null && property != null && !property.value().isEmpty()
                ? ReflectionUtils.findField(type, property.value())
                : field;
    }
}
