package io.github.snowflakeid.example;

import io.github.snowflakeid.example.DocumentRegistry.Document;
import io.github.snowflakeid.example.DocumentRegistry.Documents;
import io.github.snowflakeid.worker.WorkerRegistry.Entry;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** A stand-in for the client of a document store. */
class DocumentsInMemory implements Documents {

    private record Key(String namespace, int datacenterId, int workerId) {}

    private final Map<Key, Document> documents = new ConcurrentHashMap<>();

    @Override
    public List<Document> in(String namespace) {
        return documents.entrySet().stream()
                .filter(document -> document.getKey().namespace().equals(namespace))
                .map(Map.Entry::getValue)
                .toList();
    }

    @Override
    public boolean write(String namespace, long version, Entry entry) {
        Key key = new Key(namespace, entry.datacenterId(), entry.workerId());
        Document next = new Document(version + 1, entry);
        return version == 0
                ? documents.putIfAbsent(key, next) == null
                : next.equals(documents.computeIfPresent(key, (same, is) -> is.version() == version ? next : is));
    }

    @Override
    public Instant now() {
        return Instant.now();
    }
}
