package io.github.snowflakeid.it.datajdbc;

import io.github.snowflakeid.SnowflakeId;
import org.springframework.data.annotation.Id;

/** Immutable: can only be copied. */
public final class Fixed {

    @Id
    @SnowflakeId
    private final Long id;

    private final String name;

    private Fixed(Long id, String name) {
        this.id = id;
        this.name = name;
    }

    public static Fixed of(String name) {
        return new Fixed(null, name);
    }

    public Fixed withId(Long id) {
        return new Fixed(id, name);
    }

    public Long id() {
        return id;
    }
}
