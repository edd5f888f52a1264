package io.github.snowflakeid.internal.text;

import java.util.function.BiFunction;
import org.springframework.beans.factory.config.BeanPostProcessor;

/** Changes or replaces beans of libraries after their initialization. */
public final class BeanChange implements BeanPostProcessor {

    private final BiFunction<Object, String, Object> change;

    /**
     * Creates a post-processor.
     *
     * @param change returns the bean to use, from the bean and its name
     */
    public BeanChange(BiFunction<Object, String, Object> change) {
        this.change = change;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
        return change.apply(bean, name);
    }
}
