package io.github.snowflakeid;

import java.time.Instant;

/**
 * Thrown if the layout is exhausted: its timestamp field has no tick left, because its {@linkplain IdLayout#end() end}
 * has come. IDs never become negative or start again from zero instead.
 *
 * <p>To continue without repeating stored IDs, use the same layout with its epoch at the end of the old one, and worker
 * IDs that were never used before. A layout with other widths could repeat stored IDs.
 *
 * @since 1.0
 */
public final class TimestampExhaustedException extends SnowflakeException {

    private static final long serialVersionUID = 1L;

    TimestampExhaustedException(IdLayout layout, Instant now) {
        super((now.isBefore(layout.end())
                        ? "No ID issued: the timestamp field ends at %s and has no tick left (layout %s)"
                        : "No ID issued: the timestamp field ended at %s (layout %s)")
                .formatted(layout.end(), layout));
    }
}
