package io.github.snowflakeid.internal.json;

import org.jspecify.annotations.Nullable;

/**
 * Registers the Jackson module of this library with mappers of one major version of Jackson. Safe for use by any number
 * of threads.
 */
public interface JacksonModuleRegistrar {

    /**
     * Registers the module with a mapper that does not have it.
     *
     * @param mapper an {@code ObjectMapper} of any version of Jackson
     * @return the mapper to use: the same mapper if it has the module or is of another version, or a copy if mappers of
     *     this version are immutable; null for a JSON mapper that would have to be copied, because the mapper of
     *     Spring's JSON converters cannot be replaced
     */
    @Nullable
    Object register(Object mapper);
}
