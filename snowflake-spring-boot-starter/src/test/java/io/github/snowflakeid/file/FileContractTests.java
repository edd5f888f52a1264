package io.github.snowflakeid.file;

import io.github.snowflakeid.WorkerRegistry;
import io.github.snowflakeid.worker.WorkerRegistryContract;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/** The contract of registries, with a file. */
class FileContractTests extends WorkerRegistryContract {

    @TempDir
    private Path directory;

    @Override
    protected void openEmptyStore() {}

    @Override
    protected WorkerRegistry registry(String namespace) {
        // A temporary directory may be on a file system in memory.
        return FileDocuments.registry(directory, namespace, false);
    }

    @Override
    protected void closeStore() {}
}
