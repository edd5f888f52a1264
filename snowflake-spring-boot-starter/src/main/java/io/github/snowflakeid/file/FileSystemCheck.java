package io.github.snowflakeid.file;

import io.github.snowflakeid.internal.failure.Problem;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/** A kind of file systems on which leases cannot be kept, by the types that systems have for them. */
enum FileSystemCheck {
    NETWORK(
            "a network file system",
            "Other machines may see it, and its locks may not exclude other processes",
            "nfs nfs3 nfs4 cifs smb smb2 smb3 smbfs afs ceph glusterfs lustre beegfs gpfs gfs2 ocfs2 orangefs davfs webdav"
                    + " 9p virtiofs vboxsf vmhgfs prl_fs unc"),
    FUSE(
            "a file system in user space (FUSE)",
            "Its locks may not exclude other processes, and its files may not be on a disk",
            "fuse osxfuse macfuse"),
    MEMORY("a file system in memory", "A restart of the machine would delete all leases", "tmpfs ramfs devtmpfs"),
    CONTAINER(
            "a container's own layer",
            "It is deleted with the container, and no other container sees it",
            "overlay overlayfs aufs"),
    WITHOUT_JOURNAL(
            "a file system without a journal",
            "A loss of power may destroy a file that is being replaced",
            "vfat msdos fat fat32 exfat ext2");

    private static final String MOUNT = """
            Mount a directory of the machine into the container:

            docker run --volume /var/lib/snowflake:/var/lib/snowflake

            """;

    private static final String SWITCH_OFF = """


            If only this machine sees the directory, and it outlives restarts, switch this check off:

            {snowflake}.worker.file.verify-file-system: false""";

    private final String description;
    private final String effect;
    /** With a space before and after each. */
    private final String types;

    FileSystemCheck(String description, String effect, String types) {
        this.description = description;
        this.effect = effect;
        this.types = " " + types + " ";
    }

    /**
     * Rejects a directory whose files other machines see, that is deleted with a container or at a restart, or that may lose files when the
     * power fails.
     *
     * @param given its name, for messages
     * @param real the same directory without symbolic links
     * @throws io.github.snowflakeid.WorkerIdUnavailableException if leases cannot be kept there
     */
    static void check(Path given, Path real) throws IOException {
        FileStore store = Files.getFileStore(real);
        // Windows calls a share what its server does.
        check(given, real.toString().startsWith("\\\\") ? "unc" : store.type(), store.name());
    }

    /**
     * Rejects a directory by its file system.
     *
     * @param type of the file system, as {@link FileStore#type()} returns it
     * @param source the disk or server
     */
    static void check(Path directory, String type, String source) {
        String known = " " + (type.startsWith("fuse.") ? "fuse" : type.toLowerCase(Locale.ROOT)) + " ";
        for (FileSystemCheck kind : values()) {
            if (kind.types.contains(known)) {
                throw Problem.UNSUITABLE_DIRECTORY
                        .exception(
                                "Directory %s is on %s (%s, %s). %s; no worker ID is leased there"
                                        .formatted(directory, kind.description, type, source, kind.effect),
                                (kind == CONTAINER ? MOUNT : "") + FileExceptionTranslator.ELSEWHERE + SWITCH_OFF,
                                null)
                        .unusable();
            }
        }
    }
}
