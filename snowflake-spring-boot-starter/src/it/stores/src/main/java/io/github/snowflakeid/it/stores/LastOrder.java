package io.github.snowflakeid.it.stores;

import io.github.snowflakeid.IdGenerator;
import jakarta.annotation.PreDestroy;

/** Takes an id when clients of stores were stopped already. */
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

    /** 0 until the application ends. */
    long id() {
        return id;
    }
}
