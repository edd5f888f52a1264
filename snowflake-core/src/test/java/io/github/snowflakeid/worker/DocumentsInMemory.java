package io.github.snowflakeid.worker;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** A store of documents for tests, which records its requests. */
class DocumentsInMemory implements DocumentStore {

    final Map<String, Document> documents = new ConcurrentHashMap<>();
    final List<String> requests = java.util.Collections.synchronizedList(new ArrayList<>());

    @Override
    public Documents find(String prefix) {
        requests.add("find");
        return new Documents(
                Instant.now(),
                documents.values().stream()
                        .filter(document -> document.key().startsWith(prefix))
                        .toList());
    }

    @Override
    public Documents get(String key) {
        requests.add("get");
        Document found = documents.get(key);
        return new Documents(Instant.now(), found == null ? List.of() : List.of(found));
    }

    @Override
    public boolean put(String key, @Nullable String version, String text) {
        requests.add("put");
        Document next = new Document(key, version == null ? "1" : version + "1", text);
        return version == null
                ? documents.putIfAbsent(key, next) == null
                : next
                        == documents.computeIfPresent(
                                key, (same, is) -> is.version().equals(version) ? next : is);
    }
}
