package io.github.snowflakeid.it;

import io.github.snowflakeid.SnowflakeId;

/** What classes of rows have in common. */
public abstract class Row<T> {

    @SnowflakeId
    private T id;

    public T getId() {
        return id;
    }

    public void setId(T id) {
        this.id = id;
    }
}
