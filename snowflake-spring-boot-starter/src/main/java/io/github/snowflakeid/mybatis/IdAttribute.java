package io.github.snowflakeid.mybatis;

import io.github.snowflakeid.IdGenerator;
import io.github.snowflakeid.internal.failure.ConfigurationException;
import io.github.snowflakeid.internal.mapping.IdType;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An attribute that gets an ID before its object is inserted.
 *
 * @param name its name
 * @param annotation the annotation as it is in the source, for messages
 * @param type the type of the attribute
 * @param ids the generator of its IDs
 * @param notWritable why the attribute cannot be set; null if it can be
 */
record IdAttribute(
        String name,
        String annotation,
        IdType type,
        IdGenerator ids,
        @Nullable Supplier<ConfigurationException> notWritable) {}
