package io.github.snowflakeid.example;

import io.github.snowflakeid.worker.WorkerRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Keeps leases in a store that replaces a document only if its version is still the expected one. */
public record DocumentRegistry(Documents documents, String namespace) implements WorkerRegistry {

    /** The client of the store. Each method throws an exception if it fails. */
    public interface Documents {

        /** Returns all documents of a namespace, including every write that was committed before. */
        List<Document> in(String namespace);

        /** Replaces the document of the entry's worker ID if it still has this version; 0 means that there is none. */
        boolean write(String namespace, long version, Entry entry);

        /** Returns the time, preferably of a clock that is the same for all instances. */
        Instant now();
    }

    /** An entry and its version, which differs whenever the entry does, and is not 0. */
    public record Document(long version, Entry entry) {}

    @Override
    public Snapshot read() {
        return new Snapshot(
                documents.now(),
                documents.in(namespace).stream().map(Document::entry).toList());
    }

    @Override
    public boolean acquire(@Nullable Entry seen, Claim claim, Duration ttl) {
        return replace(seen, entry(claim, claim.owner(), claim.reservedUntil(), ttl));
    }

    @Override
    public boolean renew(Claim held, Instant reservedUntil, Duration ttl) {
        Entry expected = entry(held, held.owner(), held.reservedUntil(), ttl);
        return replace(expected, entry(held, held.owner(), reservedUntil, ttl));
    }

    @Override
    public boolean release(Claim held, Instant reservedUntil) {
        Entry expected = entry(held, held.owner(), held.reservedUntil(), Duration.ZERO);
        return replace(expected, entry(held, null, reservedUntil, Duration.ZERO));
    }

    private boolean replace(@Nullable Entry expected, Entry next) {
        for (boolean tried = false; ; tried = true) {
            Document document = documentOf(next);
            Entry is = document == null ? null : document.entry();
            if (!Entry.matches(expected, is)) {
                // If the client sent the write twice because the first answer was lost, the entry is the one we wrote.
                return tried && Entry.matches(next, is);
            }
            if (documents.write(namespace, document == null ? 0 : document.version(), next)) {
                return true;
            }
        }
    }

    private @Nullable Document documentOf(Entry entry) {
        return documents.in(namespace).stream()
                .filter(document -> document.entry().datacenterId() == entry.datacenterId()
                        && document.entry().workerId() == entry.workerId())
                .findFirst()
                .orElse(null);
    }

    private Entry entry(Claim claim, @Nullable String owner, Instant reservedUntil, Duration ttl) {
        Instant expiresAt = documents.now().plus(ttl);
        return new Entry(
                claim.datacenterId(),
                claim.workerId(),
                owner,
                claim.ownerInfo(),
                reservedUntil,
                expiresAt,
                claim.layout());
    }
}
