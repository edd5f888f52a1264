package io.github.snowflakeid.shardingsphere;

import io.github.snowflakeid.IdGenerator;
import io.github.snowflakeid.internal.failure.ConfigurationException;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.function.Function;

/** What both versions of the key generator do. Safe for use by any number of threads. */
final class KeyGenerator {

    private final Function<String, IdGenerator> source;

    private KeyGenerator(Function<String, IdGenerator> source) {
        this.source = source;
    }

    /**
     * Creates the key generator, but not yet its generator of IDs: ShardingSphere is configured while the {@code DataSource} is created.
     *
     * @throws ConfigurationException if a property is unknown, invalid or without effect
     */
    static KeyGenerator of(Properties configured) {
        KeyGeneratorProperties properties = KeyGeneratorProperties.of(configured);
        return new KeyGenerator(
                properties.isStandalone()
                        ? new StandaloneKeySource(properties)
                        : new SpringKeySource(properties.generator()));
    }

    /** Returns the generator. The first call creates it. */
    IdGenerator ids(String attribute) {
        return source.apply(attribute);
    }

    /** Generates the IDs of all rows of a statement at once. */
    List<Long> next(String attribute, int count) {
        List<Long> keys = new ArrayList<>(count);
        for (long id : ids(attribute).nextIds(count)) {
            keys.add(id);
        }
        return keys;
    }
}
