package io.github.snowflakeid.worker;

import io.github.snowflakeid.WorkerIdUnavailableException;
import io.github.snowflakeid.WorkerIdUnavailableException.Reason;
import io.github.snowflakeid.WorkerRegistry;
import io.github.snowflakeid.internal.ControlCharacters;
import io.github.snowflakeid.internal.StarterDocuments;
import io.github.snowflakeid.worker.DocumentStore.Document;
import io.github.snowflakeid.worker.DocumentStore.Documents;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Keeps each lease in a document of a {@link DocumentStore}. The keys are {@code prefix/namespace/datacenter-worker},
 * such as {@code snowflake/default/0-7}. The namespace is encoded as in URLs, so no namespace contains the documents of
 * another one.
 *
 * <p>A document has six lines: the format, the owner (empty if the worker ID is free), the end of the reserved time,
 * the time when the claim expires, the layout, and a description of the current or last owner.
 *
 * <p>A write reads one document, compares it with the expected entry, and replaces it if its version has not changed
 * since. If the version has changed, the registry looks once more: a client may have sent the write twice, because the
 * first answer was lost. Reporting that as rejected would leave behind a lease that no process knows about.
 *
 * <p>Safe for use by any number of threads.
 *
 * @since 1.0
 */
public final class DocumentRegistry implements WorkerRegistry, AutoCloseable {

    private static final String FORMAT = "snowflake 1";
    private static final int LINES = 6;
    private static final int MOST_ATTEMPTS = 2;

    private final DocumentStore store;
    private final String namespace;

    /** The start of the keys of the namespace. */
    private final String directory;

    /**
     * Creates a registry. Does not use the store yet.
     *
     * @param store the store
     * @param prefix the start of all keys, such as {@code snowflake/}; a missing slash at the end is added
     * @param namespace the name under which processes share worker IDs
     */
    public DocumentRegistry(DocumentStore store, String prefix, String namespace) {
        this.store = Objects.requireNonNull(store, "store");
        this.namespace = namespace;
        // Servers resolve segments such as "..", and some encodings of a space are ambiguous.
        String encoded = URLEncoder.encode(namespace, StandardCharsets.UTF_8)
                .replace("+", "%20")
                .replace("*", "%2A")
                .replace(".", "%2E");
        directory = prefix + (prefix.endsWith("/") ? "" : "/") + encoded + "/";
    }

    @Override
    public String namespace() {
        return namespace;
    }

    @Override
    public String kind() {
        return store.kind();
    }

    @Override
    public Snapshot read() {
        Documents found = call().find(directory);
        return Snapshot.of(
                found.now(), found.documents().stream().map(this::entry).toList());
    }

    @Override
    public boolean acquire(@Nullable Entry seen, Claim claim, Duration ttl) {
        return replace(seen, claim, claim.owner(), claim.reservedUntil(), ttl);
    }

    @Override
    public boolean renew(Claim held, Instant reservedUntil, Duration ttl) {
        return replace(heldEntry(held), held, held.owner(), reservedUntil, ttl);
    }

    /** {@inheritDoc} Closes the connections of the store. */
    @Override
    public boolean release(Claim held, Instant reservedUntil) {
        boolean released = replace(heldEntry(held), held, null, reservedUntil, Duration.ZERO);
        close();
        return released;
    }

    private static Entry heldEntry(Claim held) {
        return entry(held, held.owner(), held.reservedUntil(), Instant.EPOCH);
    }

    private boolean replace(
            @Nullable Entry expected, Claim claim, @Nullable String owner, Instant reservedUntil, Duration ttl) {
        String key = directory + claim.datacenterId() + "-" + claim.workerId();
        DocumentStore call = call();
        for (int attempt = 1; attempt <= MOST_ATTEMPTS; attempt++) {
            Documents found = call.get(key);
            Document document =
                    found.documents().isEmpty() ? null : found.documents().get(0);
            Entry current = document == null ? null : entry(document);
            Entry next = entry(claim, owner, reservedUntil, found.now().plus(ttl));
            if (!Entry.matches(expected, current)) {
                return attempt > 1 && Entry.matches(next, current);
            }
            if (call.put(key, document == null ? null : document.version(), text(next))) {
                return true;
            }
        }
        throw new IllegalStateException(
                "'%s' was written by others during each of %s attempts to write it".formatted(key, MOST_ATTEMPTS));
    }

    private static Entry entry(Claim claim, @Nullable String owner, Instant reservedUntil, Instant expiresAt) {
        return Entry.of(
                claim.datacenterId(),
                claim.workerId(),
                owner,
                claim.ownerInfo(),
                reservedUntil,
                expiresAt,
                claim.layout());
    }

    private static String text(Entry entry) {
        return String.join(
                "\n",
                FORMAT,
                entry.owner() == null ? "" : entry.owner(),
                entry.reservedUntil().toString(),
                entry.expiresAt().toString(),
                entry.layout(),
                String.valueOf(entry.ownerInfo()));
    }

    private Entry entry(Document document) {
        try {
            String[] ids = document.key().substring(directory.length()).split("-", 2);
            String[] lines = document.text().split("\n", LINES);
            if (!lines[0].equals(FORMAT)) {
                throw new IllegalArgumentException(lines[0]);
            }
            return Entry.of(
                    Integer.parseInt(ids[0]),
                    Integer.parseInt(ids[1]),
                    lines[1].isEmpty() ? null : lines[1],
                    lines[5],
                    Instant.parse(lines[2]),
                    Instant.parse(lines[3]),
                    lines[4]);
        } catch (RuntimeException e) {
            throw foreign(document.key());
        }
    }

    private RuntimeException foreign(String key) {
        return store instanceof StarterDocuments known
                ? known.foreign(key)
                : new WorkerIdUnavailableException(
                        Reason.REGISTRY_UNUSABLE,
                        "'%s' is not a lease of a worker ID".formatted(ControlCharacters.escape(key)),
                        null);
    }

    private DocumentStore call() {
        return store instanceof StarterDocuments known ? (DocumentStore) known.forOneCall() : store;
    }

    /** Closes the connections of the store. The next call opens them again. */
    @Override
    public void close() {
        store.close();
    }
}
