package io.github.snowflakeid.internal.json;

import org.jspecify.annotations.Nullable;

/** Registers the module of this library with mappers of one version of Jackson. Safe for use by several threads. */
public interface JacksonModuleRegistrar {

    /**
     * Registers the module with a mapper, if it does not have it.
     *
     * @param mapper an {@code ObjectMapper} of any version of Jackson
     * @return the mapper to use: the same one if it has the module or is of another version, or a copy if mappers of this version
     *     cannot be changed; null if it is a mapper for JSON that would need a copy, which Spring's converters for JSON cannot be given
     */
    @Nullable
    Object register(Object mapper);
}
