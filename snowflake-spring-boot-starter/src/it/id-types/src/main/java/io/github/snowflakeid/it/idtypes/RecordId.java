package io.github.snowflakeid.it.idtypes;

import java.io.Serializable;

/** Serializable, as MyBatis-Plus demands of keys. */
public record RecordId(long value) implements Serializable {}
