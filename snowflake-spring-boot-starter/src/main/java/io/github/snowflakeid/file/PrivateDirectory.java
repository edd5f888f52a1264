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

    /** What a new file is created with. */
    static final FileAttribute<?>[] FILE_ATTRIBUTES = attributes("rw-------");

    private PrivateDirectory() {}

    private static FileAttribute<?>[] attributes(String mode) {
        return POSIX
                ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(mode))}
                : new FileAttribute<?>[0];
    }

    /** Creates the directory unless it exists. Newer JDKs would accept a link to a directory. */
    static void create(Path directory) throws IOException {
        Files.createDirectories(directory, attributes(MODE));
        if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
            throw new FileAlreadyExistsException(directory.toString());
        }
    }

    /** Checks that only the user of this process has access, and takes it from others if this user may. */
    static void check(Path directory, FileExceptionTranslator translator) throws IOException {
        if (!POSIX) {
            return;
        }
        // Only a new file shows as which user this process creates files: root has access to directories of all users.
        Path probe = Files.createTempFile(directory, null, null, FILE_ATTRIBUTES);
        boolean isOwner = Files.getOwner(probe).equals(Files.getOwner(directory));
        Files.delete(probe);
        if (isOwner && !mode(directory).equals(MODE)) {
            // Kubernetes gives the group of a pod (fsGroup) access to all files of a volume, whenever it mounts it.
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
