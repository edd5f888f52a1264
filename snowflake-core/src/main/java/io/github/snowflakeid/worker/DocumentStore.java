package io.github.snowflakeid.worker;

import io.github.snowflakeid.WorkerRegistry;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The client of a store that replaces a document only if its version is still the expected one, such as etcd or Consul.
 * A {@link DocumentRegistry} keeps leases in it. The first three methods are all that a store needs.
 *
 * <p>Each method sees every write that was confirmed before, so it must not read from a replica that may be behind.
 * Each method throws an exception if it fails, also if it is unknown whether a document was written. It may send a
 * request again: a version matches only once. Implementations must be safe for use by any number of threads.
 *
 * @since 1.0
 */
public interface DocumentStore {

    /**
     * Returns the documents below a path.
     *
     * @param prefix the start of the keys, which ends with a slash
     * @return all documents whose keys begin with it
     */
    Documents find(String prefix);

    /**
     * Returns a document.
     *
     * @param key the key: letters and digits in ASCII, {@code / - _ %}, and the characters of the registry's prefix
     * @return a list with this document; an empty list if there is none
     */
    Documents get(String key);

    /**
     * Creates or replaces a document in one atomic step, on the condition that its version is still the given one.
     *
     * @param key the key
     * @param version the version as it was read; null if there must be no such document
     * @param text the new text, at most 3,000 bytes in UTF-8. It must never expire.
     * @return whether the document was written durably; {@code false} if its version is another one
     */
    boolean put(String key, @Nullable String version, String text);

    /**
     * Returns the kind of this store.
     *
     * @return the {@linkplain WorkerRegistry#kind() kind} of the registry
     */
    default String kind() {
        return "registry";
    }

    /**
     * Closes connections, because a worker ID was released. Another call may follow. Does nothing unless overridden.
     */
    default void close() {}

    /**
     * A document.
     *
     * @param key the key
     * @param version a text that differs whenever the document was written in between
     * @param text the text as it was written
     */
    record Document(String key, String version, String text) {}

    /**
     * An answer of the store.
     *
     * @param now the store's clock, preferably one clock for all instances
     * @param documents the documents, in any order
     */
    record Documents(Instant now, List<Document> documents) {}
}
