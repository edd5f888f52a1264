package io.github.snowflakeid;

/**
 * The timestamp field of the layout has no tick left: its {@linkplain IdLayout#end() end} has come. No id is ever
 * negative or starts again from zero instead; only another layout (more timestamp bits, a longer tick, a later epoch)
 * makes ids again.
 */
public final class TimestampExhaustedException extends SnowflakeException {

    private static final long serialVersionUID = 1L;

    TimestampExhaustedException(IdLayout layout) {
        super("Timestamp field ended at %s (layout %s); no id issued".formatted(layout.end(), layout));
    }
}
