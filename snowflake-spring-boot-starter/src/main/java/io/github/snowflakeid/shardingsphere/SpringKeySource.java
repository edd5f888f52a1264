package io.github.snowflakeid.shardingsphere;

import io.github.snowflakeid.IdGenerator;
import java.util.function.Function;

/**
 * A generator of the application context that was starting when ShardingSphere read its configuration. When that context is closed, as
 * in tests, of the newest context that is open.
 */
final class SpringKeySource implements Function<String, IdGenerator> {

    private final String generator;
    private volatile GeneratorBridge application;

    /** @param generator its name, empty for the default generator */
    SpringKeySource(String generator) {
        this.generator = generator;
        application = GeneratorBridge.newest();
        application.require(generator);
    }

    @Override
    public IdGenerator apply(String attribute) {
        GeneratorBridge current = application;
        if (current.isClosed()) {
            current = GeneratorBridge.newest();
            application = current;
        }
        return current.generator(generator, attribute);
    }
}
