package io.github.snowflakeid.it.mybatis;

import io.github.snowflakeid.SnowflakeId;

/** Superclass of rows that declares the ID. */
public abstract class BaseRow<T> {

    @SnowflakeId
    private T id;

    public T getId() {
        return id;
    }

    public void setId(T id) {
        this.id = id;
    }
}
