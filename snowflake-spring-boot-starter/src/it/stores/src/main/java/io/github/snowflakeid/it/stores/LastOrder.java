package io.github.snowflakeid.it.stores;

import io.github.snowflakeid.IdGenerator;
import jakarta.annotation.PreDestroy;

/** Requests an ID after clients of stores have been stopped. */
final class LastOrder {

    private final IdGenerator ids;
    private long id;

    LastOrder(IdGenerator ids) {
        this.ids = ids;
    }

    @PreDestroy
    void write() {
        id = ids.nextId();
    }

    /** Returns 0 until the application ends. */
    long id() {
        return id;
    }
}
