package io.github.snowflakeid.internal.http;

import io.github.snowflakeid.internal.ControlCharacters;
import io.github.snowflakeid.internal.StarterDocuments;
import io.github.snowflakeid.internal.failure.Problem;
import io.github.snowflakeid.worker.DocumentStore;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The documents of leases in a store that is used by HTTP. */
public interface HttpDocuments extends DocumentStore, StarterDocuments {

    /**
     * Returns the servers of the store.
     *
     * @return the servers
     */
    HttpServers servers();

    @Override
    default String kind() {
        return servers().store().toLowerCase(Locale.ROOT);
    }

    @Override
    default RuntimeException foreign(String key) {
        return Problem.FOREIGN_DATA
                .exception(
                        "Key '%s' of %s is not a lease of a worker ID"
                                .formatted(
                                        ControlCharacters.escape(key), servers().store()),
                        "Use another prefix for the keys of leases:\n\n{snowflake}.worker.%s.prefix: snowflake-worker-ids/"
                                .formatted(kind()))
                .unusable();
    }

    @Override
    default void close() {
        servers().close();
    }

    /**
     * Decodes a value of the store.
     *
     * @param base64 the value in Base64; null stands for an empty text
     * @return the text
     */
    static String decoded(@Nullable Object base64) {
        return base64 == null ? "" : new String(Base64.getDecoder().decode(base64.toString()), StandardCharsets.UTF_8);
    }
}
