package io.github.snowflakeid.autoconfigure;

import io.github.snowflakeid.IdLayout;
import io.github.snowflakeid.internal.failure.ConfigurationException;

/**
 * The settings of one Snowflake generator.
 *
 * @param generator which generator
 * @param several whether the application has named generators
 * @param of its properties, including those that it inherits
 * @param inheritedLayout the layout that single properties change if they name no layout
 */
record GeneratorSettings(GeneratorName generator, boolean several, SnowflakeProperties of, IdLayout inheritedLayout) {

    /** Returns the same settings without a datacenter ID. */
    GeneratorSettings withoutDatacenter() {
        SnowflakeProperties properties = new SnowflakeProperties(
                of.type(),
                of.layout(),
                of.epoch(),
                of.tick(),
                of.bits(),
                of.worker(),
                new SnowflakeProperties.Datacenter(null),
                of.clock(),
                of.sequence());
        return new GeneratorSettings(generator, several, properties, inheritedLayout);
    }

    /** Returns how lines of the log begin. */
    String label() {
        return generator.label(several);
    }

    /** Returns the same failure with a text that says which generator it is about. */
    ConfigurationException explain(ConfigurationException failure) {
        return generator.explain(failure, several);
    }
}
