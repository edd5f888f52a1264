package io.github.snowflakeid;

import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;

/** A clock that stands still until it is set. */
final class SettableClock implements InstantSource {

    private final AtomicLong millis;

    private SettableClock(long millis) {
        this.millis = new AtomicLong(millis);
    }

    /** A clock that shows the start of a tick of a layout. */
    static SettableClock at(IdLayout layout, long tick) {
        return new SettableClock(
                layout.epoch().toEpochMilli() + tick * layout.tick().toMillis());
    }

    void set(IdLayout layout, long tick) {
        millis.set(layout.epoch().toEpochMilli() + tick * layout.tick().toMillis());
    }

    void advanceMillis(long by) {
        millis.addAndGet(by);
    }

    @Override
    public Instant instant() {
        return Instant.ofEpochMilli(millis());
    }

    @Override
    public long millis() {
        return millis.get();
    }
}
