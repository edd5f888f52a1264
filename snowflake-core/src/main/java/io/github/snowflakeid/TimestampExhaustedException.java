package io.github.snowflakeid;

import java.time.Instant;

/**
 * The timestamp field of the layout has no tick left: its {@linkplain IdLayout#end() end} has come. No id is ever
 * negative or starts again from zero instead. Where ids of the layout are stored, other widths could repeat them; the same
 * layout with its epoch at the end of the old one, and worker ids that were never used before, does not.
 *
 * @since 0.1.0
 */
public final class TimestampExhaustedException extends SnowflakeException {

    private static final long serialVersionUID = 1L;

    TimestampExhaustedException(IdLayout layout, Instant now) {
        super((now.isBefore(layout.end())
                        ? "Timestamp field ends at %s and has no tick left (layout %s); no ID issued"
                        : "Timestamp field ended at %s (layout %s); no id issued")
                .formatted(layout.end(), layout));
    }
}
