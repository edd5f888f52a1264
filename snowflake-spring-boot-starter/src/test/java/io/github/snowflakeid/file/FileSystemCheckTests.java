package io.github.snowflakeid.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.github.snowflakeid.WorkerIdUnavailableException;
import io.github.snowflakeid.failure.ConfigurationException;
import io.github.snowflakeid.worker.DocumentRegistry;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FileSystemCheckTests {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ext4",
                "ext3",
                "xfs",
                "btrfs",
                "zfs",
                "f2fs",
                "fuseblk",
                "ntfs3",
                "apfs",
                "hfs",
                "NTFS",
                "ReFS",
                "bcachefs"
            })
    void disksOfTheMachineAreAccepted(String type) {
        assertThatCode(() -> FileSystemCheck.check(Path.of("/data"), type, "disk"))
                .doesNotThrowAnyException();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "nfs4|a network file system, which other machines may access, and whose locks may not exclude other processes (nfs4, x)",
                "cifs|a network file system, which other machines may access, and whose locks may not exclude other processes (cifs, x)",
                "smbfs|a network file system, which other machines may access, and whose locks may not exclude other processes (smbfs, x)",
                "9p|a network file system, which other machines may access, and whose locks may not exclude other processes (9p, x)",
                "virtiofs|a network file system, which other machines may access, and whose locks may not exclude other processes (virtiofs, x)",
                "fuse.sshfs|a file system in user space (FUSE), whose locks may not exclude other processes, and whose files may not be on a disk (fuse.sshfs, x)",
                "macfuse|a file system in user space (FUSE), whose locks may not exclude other processes, and whose files may not be on a disk (macfuse, x)",
                "tmpfs|a file system in memory, which a restart of the machine deletes (tmpfs, x)",
                "ramfs|a file system in memory, which a restart of the machine deletes (ramfs, x)",
                "overlay|a container's own layer, which is deleted with the container, and which other containers cannot access (overlay, x)",
                "aufs|a container's own layer, which is deleted with the container, and which other containers cannot access (aufs, x)",
                "vfat|a file system without a journal, in which a power failure can destroy a file while it is replaced (vfat, x)"
            })
    void otherFileSystemsAreRejected(String type, String why) {
        assertThat(rejection(type, "x"))
                .hasMessage("No worker ID is leased in directory /data/ids, because it is on %s", why)
                .extracting(rejected -> rejected.action().orElseThrow())
                .asString()
                .endsWith("""
                        Choose a directory on a disk of this machine, for example:

                        snowflake.worker.file.directory: /var/lib/snowflake

                        If only this machine can access the directory and the directory survives restarts, disable this check:

                        snowflake.worker.file.verify-file-system: false""");
    }

    @Test
    void inAContainerTheAdviceIsAMount() {
        assertThat(rejection("overlay", "overlay").action().orElseThrow()).startsWith("""
                        Mount a directory of the machine into the container:

                        docker run --volume /var/lib/snowflake:/var/lib/snowflake

                        """);
    }

    @Test
    void directoryInMemoryIsRejectedAtTheFirstUseUnlessTheCheckIsOff() throws Exception {
        Path memory = Path.of("/dev/shm");
        assumeThat(memory).isDirectory();
        assumeThat(Files.getFileStore(memory).type()).isEqualTo("tmpfs");
        Path directory = Files.createTempDirectory(memory, "snowflake");
        try {
            DocumentRegistry registry = FileDocuments.registry(directory, "default");

            assertThat(catchThrowableOfType(WorkerIdUnavailableException.class, registry::read))
                    .hasMessageStartingWith(
                            "No worker ID is leased in directory %s, because it is on a file system in memory, which a restart of the machine deletes (tmpfs, ",
                            directory);
            assertThat(FileDocuments.registry(directory, "default", false)
                            .read()
                            .entries())
                    .isEmpty();
        } finally {
            org.springframework.util.FileSystemUtils.deleteRecursively(directory);
        }
    }

    private static ConfigurationException rejection(String type, String source) {
        @Nullable
        WorkerIdUnavailableException rejected = catchThrowableOfType(
                WorkerIdUnavailableException.class, () -> FileSystemCheck.check(Path.of("/data/ids"), type, source));
        assertThat(rejected).isNotNull().hasCauseInstanceOf(ConfigurationException.class);
        return (ConfigurationException) rejected.getCause();
    }
}
