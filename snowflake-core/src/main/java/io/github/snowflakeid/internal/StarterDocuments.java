package io.github.snowflakeid.internal;

/** The abilities of the starter's stores that a {@code DocumentStore} does not need. */
public interface StarterDocuments {

    /**
     * Returns the store for the requests of one call of the registry, at most four, so that they can share a time
     * limit.
     *
     * @return a {@code DocumentStore}; this store unless overridden
     */
    default Object forOneCall() {
        return this;
    }

    /**
     * Returns the exception for a document that is not a lease.
     *
     * @param key the key of the document
     * @return an exception that reports the registry as unusable
     */
    RuntimeException foreign(String key);
}
