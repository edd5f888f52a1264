package io.github.snowflakeid.autoconfigure;

import io.github.snowflakeid.IdLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.convert.DurationStyle;

/** The layout that the properties describe: a preset, and what is set otherwise. */
final class ConfiguredLayout {

    private ConfiguredLayout() {}

    static IdLayout of(SnowflakeProperties properties) {
        IdLayout preset = preset(properties.layout());
        SnowflakeProperties.Bits bits = properties.bits();
        IdLayout.Builder layout = preset.toBuilder();
        List<String> overridden = new ArrayList<>();
        if (properties.epoch() != null) {
            layout.epoch(properties.epoch());
            overridden.add("snowflake.epoch: " + preset.epoch());
        }
        if (properties.tick() != null) {
            layout.tick(properties.tick());
            overridden.add("snowflake.tick: " + DurationStyle.SIMPLE.print(preset.tick()));
        }
        if (bits.timestamp() != null) {
            layout.timestampBits(bits.timestamp());
            overridden.add("snowflake.bits.timestamp: " + preset.timestampBits());
        }
        if (bits.datacenter() != null) {
            layout.datacenterBits(bits.datacenter());
            overridden.add("snowflake.bits.datacenter: " + preset.datacenterBits());
        }
        if (bits.worker() != null) {
            layout.workerBits(bits.worker());
            overridden.add("snowflake.bits.worker: " + preset.workerBits());
        }
        if (bits.sequence() != null) {
            layout.sequenceBits(bits.sequence());
            overridden.add("snowflake.bits.sequence: " + preset.sequenceBits());
        }
        try {
            return layout.build();
        } catch (IllegalArgumentException impossible) {
            throw new StartupFailure(
                    impossible.getMessage() + ".",
                    """
                    Change 'snowflake.epoch', 'snowflake.tick' or 'snowflake.bits'. Those of layout '%s' are:

                    %s""".formatted(properties.layout(), String.join("\n", overridden)),
                    impossible);
        }
    }

    private static IdLayout preset(String name) {
        @Nullable
        IdLayout preset = IdLayout.presets().get(name.toLowerCase(Locale.ROOT).replace('_', '-'));
        if (preset == null) {
            throw new StartupFailure(
                    "Property 'snowflake.layout' names no layout: '%s'.".formatted(name),
                    """
                    Use one of %s, for example:

                    snowflake.layout: default""".formatted(String.join(", ", IdLayout.presets().keySet())));
        }
        return preset;
    }
}
