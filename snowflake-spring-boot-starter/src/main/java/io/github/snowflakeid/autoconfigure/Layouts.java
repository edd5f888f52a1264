package io.github.snowflakeid.autoconfigure;

import io.github.snowflakeid.IdLayout;
import io.github.snowflakeid.internal.failure.Problem;
import io.github.snowflakeid.internal.properties.PropertyNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.convert.DurationStyle;

/** Builds the layout that the properties describe: a preset, with the single properties that override it. */
final class Layouts {

    /** The name of the bean of the unnamed generator's layout, unless the application has a bean. */
    static final String BEAN = "snowflake.idLayout";

    private Layouts() {}

    /**
     * @param inherited the layout of the unnamed generator, to start from if the properties name none; null for the
     *     unnamed generator
     */
    static IdLayout of(SnowflakeProperties properties, @Nullable IdLayout inherited) {
        IdLayout unchanged = inherited == null ? IdLayout.DEFAULT : inherited;
        IdLayout preset = properties.layout() == null ? unchanged : preset(properties.layout());
        SnowflakeProperties.Bits bits = properties.bits();
        IdLayout.Builder layout = preset.toBuilder();
        if (properties.epoch() != null) {
            layout.epoch(properties.epoch());
        }
        if (properties.tick() != null) {
            layout.tick(properties.tick());
        }
        if (bits.timestamp() != null) {
            layout.timestampBits(bits.timestamp());
        }
        if (bits.datacenter() != null) {
            layout.datacenterBits(bits.datacenter());
        }
        if (bits.worker() != null) {
            layout.workerBits(bits.worker());
        }
        if (bits.sequence() != null) {
            layout.sequenceBits(bits.sequence());
        }
        try {
            return layout.build();
        } catch (IllegalArgumentException e) {
            throw Problem.INVALID_LAYOUT.exception(
                    String.valueOf(e.getMessage()),
                    """
                    Change the epoch, the tick or the bits. The values of %s are:

                    %s""".formatted(nameOf(properties, inherited), resetTo(preset, properties)),
                    e);
        }
    }

    private static String nameOf(SnowflakeProperties properties, @Nullable IdLayout inherited) {
        if (properties.layout() == null && inherited != null) {
            return "the unnamed generator";
        }
        return "layout '%s'".formatted(properties.layout() == null ? "default" : properties.layout());
    }

    private static IdLayout preset(String name) {
        String key = name.toLowerCase(Locale.ROOT).replace('_', '-');
        @Nullable IdLayout preset = IdLayout.presets().get(key);
        if (preset == null) {
            List<String> names = List.copyOf(IdLayout.presets().keySet());
            String near = PropertyNames.closest(key, names);
            throw Problem.INVALID_LAYOUT.exception(
                    "Property '{snowflake}.layout' names an unknown layout: '%s'.".formatted(name),
                    """
                    Use one of %s, for example:

                    {snowflake}.layout: %s""".formatted(String.join(", ", names), near.isEmpty() ? "default" : near));
        }
        return preset;
    }

    /** Returns lines for an action: each layout property that is currently set, with its value in a preset. */
    static String resetTo(IdLayout preset, SnowflakeProperties properties) {
        SnowflakeProperties.Bits bits = properties.bits();
        List<String> lines = new ArrayList<>();
        List<String> all = all(preset).lines().toList();
        Object[] set = {
            properties.epoch(), properties.tick(), bits.timestamp(), bits.datacenter(), bits.worker(), bits.sequence()
        };
        for (int i = 0; i < all.size(); i++) {
            if (set[i] != null) {
                lines.add(all.get(i));
            }
        }
        return String.join("\n", lines);
    }

    /** Returns lines for an action: all properties of a layout. */
    private static String all(IdLayout layout) {
        return """
                {snowflake}.epoch: %s
                {snowflake}.tick: %s
                {snowflake}.bits.timestamp: %s
                {snowflake}.bits.datacenter: %s
                {snowflake}.bits.worker: %s
                {snowflake}.bits.sequence: %s""".formatted(
                        layout.epoch(),
                        DurationStyle.SIMPLE.print(layout.tick()),
                        layout.timestampBits(),
                        layout.datacenterBits(),
                        layout.workerBits(),
                        layout.sequenceBits());
    }
}
