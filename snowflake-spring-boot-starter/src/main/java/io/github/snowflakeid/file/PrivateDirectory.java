package io.github.snowflakeid.file;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * The subdirectory that the files are in. A user who can read a file can lock it, and so stop all IDs. So only the user of the process has
 * access to this directory and its files, while the directory around it may be a mount that all users can write.
 *
 * <p>Windows has no such permissions: there, files inherit their access from the directory around them.
 */
final class PrivateDirectory {

    static final String NAME = "snowflake";

    static final boolean POSIX =
            FileSystems.getDefault().supportedFileAttributeViews().contains("posix");

    static final String MODE = "rwx------";

    private PrivateDirectory() {}

    /** What a new file or directory is created with. */
    static FileAttribute<?>[] attributes(String mode) {
        return POSIX
                ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(mode))}
                : new FileAttribute<?>[0];
    }

    /**
     * Creates the directory unless it exists.
     *
     * @return whether it is new
     */
    static boolean create(Path directory) throws IOException {
        try {
            Files.createDirectory(directory, attributes(MODE));
            return true;
        } catch (FileAlreadyExistsException existing) {
            if (Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
                return false;
            }
            throw existing;
        }
    }

    /** Checks that only the user of this process has access. */
    static void check(Path directory, FileTrouble trouble) throws IOException {
        if (POSIX && !isPrivate(directory)) {
            PosixFileAttributes is = Files.readAttributes(directory, PosixFileAttributes.class);
            throw trouble.exposed(is.owner().getName(), PosixFilePermissions.toString(is.permissions()));
        }
    }

    private static boolean isPrivate(Path directory) throws IOException {
        Set<PosixFilePermission> mode = PosixFilePermissions.fromString(MODE);
        try {
            // Only a new file shows as whom this process creates files: root has access to directories of all users.
            Path probe = Files.createTempFile(directory, null, null, attributes("rw-------"));
            boolean isOwner = Files.getOwner(probe).equals(Files.getOwner(directory));
            Files.delete(probe);
            if (isOwner && !Files.getPosixFilePermissions(directory).equals(mode)) {
                // Kubernetes gives the group of a pod (fsGroup) access to all that is in a volume, each time it mounts
                // the volume.
                Files.setPosixFilePermissions(directory, mode);
            }
            return isOwner && Files.getPosixFilePermissions(directory).equals(mode);
        } catch (AccessDeniedException ofAnotherUser) {
            return false;
        }
    }
}
