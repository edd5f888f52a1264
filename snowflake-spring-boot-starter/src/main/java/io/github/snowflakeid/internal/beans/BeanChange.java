package io.github.snowflakeid.internal.beans;

import java.util.function.BiFunction;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.core.PriorityOrdered;

/**
 * Changes or replaces beans of libraries after their initialization. If the method that defines it returns this type,
 * it runs before aspects hide the beans in proxies. Not a record, whose {@code equals} and {@code hashCode}, which Spring
 * calls, would add 5 ms to startup.
 */
public final class BeanChange implements BeanPostProcessor, PriorityOrdered {

    private final BiFunction<Object, String, Object> change;

    /**
     * Creates a processor.
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

    @Override
    public int getOrder() {
        return HIGHEST_PRECEDENCE;
    }
}
