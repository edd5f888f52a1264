package io.github.snowflakeid.worker;

import io.github.snowflakeid.WorkerRegistry;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

class InMemoryRegistryTests extends WorkerRegistryContract {

    private Map<String, InMemoryRegistry> store = Map.of();

    @Override
    protected void openEmptyStore() {
        store = new ConcurrentHashMap<>();
    }

    @Override
    protected WorkerRegistry registry(String namespace) {
        return store.computeIfAbsent(namespace, name -> new InMemoryRegistry(name, Instant::now));
    }

    @Override
    protected void closeStore() {
        store.clear();
    }
}
