package io.github.snowflakeid.example;

import io.github.snowflakeid.worker.DocumentStore;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Keeps leases in a store with conditional writes. */
record ClientStore(Client client) implements DocumentStore {

    @Override
    public Documents find(String prefix) {
        return new Documents(
                client.time(),
                client.list(prefix).stream().map(ClientStore::document).toList());
    }

    @Override
    public Documents get(String key) {
        List<Document> found =
                client.find(key).map(ClientStore::document).stream().toList();
        return new Documents(client.time(), found);
    }

    @Override
    public boolean put(String key, @Nullable String version, String text) {
        return version == null ? client.create(key, text) : client.replace(key, version, text);
    }

    private static Document document(Client.Item item) {
        return new Document(item.key(), item.revision(), item.text());
    }
}
