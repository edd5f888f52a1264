package io.github.snowflakeid.file;

import io.github.snowflakeid.worker.WorkerRegistry;
import io.github.snowflakeid.worker.WorkerRegistryContract;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/** What every registry keeps, kept by a file. */
class FileWorkerRegistryContractTests extends WorkerRegistryContract {

    @TempDir
    private Path directory;

    @Override
    protected void openEmptyStore() {}

    @Override
    protected WorkerRegistry registry(String namespace) {
        // Temporary directories may be in memory.
        return new FileWorkerRegistry(directory, namespace).withoutFileSystemCheck();
    }

    @Override
    protected void closeStore() {}
}
