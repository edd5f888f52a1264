package io.github.snowflakeid.example;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** A stand-in for the client of a store. */
class Client {

    record Item(String key, String revision, String text) {}

    private final Map<String, Item> items = new ConcurrentHashMap<>();

    Instant time() {
        return Instant.now();
    }

    List<Item> list(String prefix) {
        return items.values().stream()
                .filter(item -> item.key().startsWith(prefix))
                .toList();
    }

    Optional<Item> find(String key) {
        return Optional.ofNullable(items.get(key));
    }

    boolean create(String key, String text) {
        return items.putIfAbsent(key, new Item(key, "1", text)) == null;
    }

    boolean replace(String key, String revision, String text) {
        Item next = new Item(key, revision + "1", text);
        return next == items.computeIfPresent(key, (same, is) -> is.revision().equals(revision) ? next : is);
    }
}
