package io.github.snowflakeid.internal.text;

import java.util.function.BiFunction;
import org.springframework.beans.factory.config.BeanPostProcessor;

/**
 * Changes or replaces beans of libraries after their initialization.
 *
 * @param change returns the bean to use, from the bean and its name
 */
public record BeanChange(BiFunction<Object, String, Object> change) implements BeanPostProcessor {

    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
        return change.apply(bean, name);
    }
}
