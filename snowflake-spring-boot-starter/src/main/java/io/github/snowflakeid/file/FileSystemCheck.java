package io.github.snowflakeid.file;

import io.github.snowflakeid.internal.failure.Problem;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** The kinds of file systems that cannot store leases, with the types that operating systems report for them. */
enum FileSystemCheck {
    NETWORK(
            "a network file system, which other machines may access, and whose locks may not exclude other processes",
            "nfs nfs3 nfs4 cifs smb smb2 smb3 smbfs afs ceph glusterfs lustre beegfs gpfs gfs2 ocfs2 orangefs davfs webdav"
                    + " 9p virtiofs vboxsf vmhgfs prl_fs unc"),
    FUSE(
            "a file system in user space (FUSE), whose locks may not exclude other processes, and whose files may not be on a disk",
            "fuse osxfuse macfuse"),
    MEMORY("a file system in memory, which a restart of the machine deletes", "tmpfs ramfs devtmpfs"),
    CONTAINER(
            "a container's own layer, which is deleted with the container, and which other containers cannot access",
            "overlay overlayfs aufs"),
    WITHOUT_JOURNAL(
            "a file system without a journal, in which a power failure can destroy a file while it is replaced",
            "vfat msdos fat fat32 exfat ext2");

    private static final String MOUNT = """
            Mount a directory of the machine into the container:

            docker run --volume /var/lib/snowflake:/var/lib/snowflake

            """;

    private static final String SWITCH_OFF = """


            If only this machine can access the directory and the directory survives restarts, disable this check:

            {snowflake}.worker.file.verify-file-system: false""";

    private final String description;
    private final String types;

    FileSystemCheck(String description, String types) {
        this.description = description;
        this.types = types;
    }

    /**
     * Rejects a directory that other machines can access, that is deleted with a container or at a restart, or that may
     * lose files if the power fails.
     *
     * @param given the directory as configured, for messages
     * @param real the same directory without symbolic links
     * @throws io.github.snowflakeid.WorkerIdUnavailableException if the directory cannot store leases
     */
    static void check(Path given, Path real) throws IOException {
        FileStore store = Files.getFileStore(real);
        // For a network share, Windows reports the type of the file system on the server.
        check(given, real.toString().startsWith("\\\\") ? "unc" : store.type(), store.name());
    }

    /**
     * Rejects a directory by its file system.
     *
     * @param type the type of the file system, as {@link FileStore#type()} returns it
     * @param source the disk or server
     */
    static void check(Path directory, String type, String source) {
        String known = type.startsWith("fuse.") ? "fuse" : type.toLowerCase(Locale.ROOT);
        for (FileSystemCheck kind : values()) {
            if (List.of(kind.types.split(" ")).contains(known)) {
                throw Problem.UNSUITABLE_DIRECTORY
                        .exception(
                                "No worker ID is leased in directory %s, because it is on %s (%s, %s)"
                                        .formatted(directory, kind.description, type, source),
                                (kind == CONTAINER ? MOUNT : "") + FileExceptionTranslator.ELSEWHERE + SWITCH_OFF,
                                null)
                        .unusable();
            }
        }
    }
}
