package io.github.snowflakeid.example;

import io.github.snowflakeid.WorkerRegistry;
import io.github.snowflakeid.worker.DocumentRegistry;
import io.github.snowflakeid.worker.WorkerRegistryContract;

class ClientStoreTests extends WorkerRegistryContract {

    private ClientStore store = new ClientStore(new Client());

    @Override
    protected void openEmptyStore() {
        store = new ClientStore(new Client());
    }

    @Override
    protected WorkerRegistry registry(String namespace) {
        return new DocumentRegistry(store, "snowflake/", namespace);
    }

    @Override
    protected void closeStore() {
        // Stop the server, or delete its data.
    }
}
