package io.github.snowflakeid.example;

import io.github.snowflakeid.worker.WorkerRegistry;
import io.github.snowflakeid.worker.WorkerRegistryContract;

class DocumentRegistryTests extends WorkerRegistryContract {

    private DocumentsInMemory documents = new DocumentsInMemory();

    @Override
    protected void openEmptyStore() {
        documents = new DocumentsInMemory();
    }

    @Override
    protected WorkerRegistry registry(String namespace) {
        return new DocumentRegistry(documents, namespace);
    }

    @Override
    protected void closeStore() {
        // Stop the server, or delete its data.
    }
}
