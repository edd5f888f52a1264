package io.github.snowflakeid.file;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;

/** Leases in a directory, as {@code application.yml} describes them. */
@ConfigurationProperties("snowflake.worker.file")
final class FileProperties {

    /** Directory that leases are kept in, on a disk of this machine, as an absolute path; created unless it is there. */
    private @Nullable String directory;

    /** Whether to refuse a directory that may be forgotten, or seen by other machines, by the type of its file system. */
    private boolean verifyFileSystem = true;

    public @Nullable String getDirectory() {
        return directory;
    }

    public void setDirectory(@Nullable String directory) {
        this.directory = directory;
    }

    public boolean isVerifyFileSystem() {
        return verifyFileSystem;
    }

    public void setVerifyFileSystem(boolean verifyFileSystem) {
        this.verifyFileSystem = verifyFileSystem;
    }
}
