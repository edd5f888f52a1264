package io.github.snowflakeid.autoconfigure;

import io.github.snowflakeid.IdLayout;
import io.github.snowflakeid.internal.failure.ConfigurationException;

/**
 * The settings of one Snowflake generator.
 *
 * @param generator the name of the generator
 * @param several whether the application has named generators
 * @param properties the properties of the generator, including the inherited ones
 * @param inheritedLayout the layout to start from if the properties name none
 */
record GeneratorSettings(
        GeneratorName generator, boolean several, SnowflakeProperties properties, IdLayout inheritedLayout) {

    /** Returns the same settings without a datacenter ID. */
    GeneratorSettings withoutDatacenter() {
        SnowflakeProperties changed = new SnowflakeProperties(
                properties.type(),
                properties.layout(),
                properties.epoch(),
                properties.tick(),
                properties.bits(),
                properties.worker(),
                new SnowflakeProperties.Datacenter(null),
                properties.clock(),
                properties.sequence());
        return new GeneratorSettings(generator, several, changed, inheritedLayout);
    }

    /** Returns the beginning of the generator's log lines. */
    String label() {
        return generator.label(several);
    }

    /** Returns a copy of a failure that names this generator. */
    ConfigurationException explain(ConfigurationException failure) {
        return generator.explain(failure, several);
    }
}
