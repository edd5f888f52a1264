package io.github.snowflakeid.actuate;

import io.github.snowflakeid.autoconfigure.SnowflakeGenerators;
import java.util.Map;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;

/** Generators of a context without other beans. */
public final class TestGenerators {

    private TestGenerators() {}

    public static SnowflakeGenerators of(Map<String, ?> byName) {
        DefaultListableBeanFactory beans = new DefaultListableBeanFactory();
        byName.forEach(beans::registerSingleton);
        return new SnowflakeGenerators(beans);
    }
}
