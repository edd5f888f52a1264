package io.github.snowflakeid.file;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * The subdirectory that contains the files. Any user who can read a file can lock it, and thereby stop all IDs.
 * Therefore only the user of the process has access to this directory and its files. The parent directory may be a
 * mount that all users can write to.
 *
 * <p>Windows has no such permissions. There, files inherit the permissions of the parent directory.
 */
final class PrivateDirectory {

    static final String NAME = "snowflake";

    static final boolean POSIX =
            FileSystems.getDefault().supportedFileAttributeViews().contains("posix");

    static final String MODE = "rwx------";

    /** The attributes of new files: only their owner has access. */
    static final FileAttribute<?>[] FILE_ATTRIBUTES = attributes("rw-------");

    private PrivateDirectory() {}

    private static FileAttribute<?>[] attributes(String mode) {
        return POSIX
                ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(mode))}
                : new FileAttribute<?>[0];
    }

    /**
     * Creates the directory if it does not exist. Rejects a symbolic link explicitly, because newer JDKs accept a link
     * to a directory.
     */
    static void create(Path directory) throws IOException {
        Files.createDirectories(directory, attributes(MODE));
        if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
            throw new FileAlreadyExistsException(directory.toString());
        }
    }

    /**
     * Checks that only the user of this process has access. Removes the access of other users if this user is the
     * owner.
     */
    static void check(Path directory, FileExceptionTranslator translator) throws IOException {
        if (!POSIX) {
            return;
        }
        // A new file shows the user that this process creates files as. Access alone proves nothing, because root can
        // access all directories.
        Path probe = Files.createTempFile(directory, null, null, FILE_ATTRIBUTES);
        boolean isOwner = Files.getOwner(probe).equals(Files.getOwner(directory));
        Files.delete(probe);
        if (isOwner && !mode(directory).equals(MODE)) {
            // Each time Kubernetes mounts a volume, it gives the pod's group (fsGroup) access to all files of the
            // volume.
            Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString(MODE));
        }
        if (!isOwner || !mode(directory).equals(MODE)) {
            throw translator.exposed(Files.getOwner(directory).getName(), mode(directory));
        }
    }

    private static String mode(Path directory) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(directory));
    }
}
