package io.github.snowflakeid.file;

import io.github.snowflakeid.failure.ConfigurationException;
import io.github.snowflakeid.internal.ControlCharacters;
import io.github.snowflakeid.internal.failure.Problem;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Translates failures of a lease directory into exceptions with an action.
 *
 * @param directory the directory of the files
 * @param name the start of the names of the namespace's files
 */
record FileExceptionTranslator(Path directory, String name) {

    static final String ELSEWHERE = """
            Choose a directory on a disk of this machine, for example:

            {snowflake}.worker.file.directory: /var/lib/snowflake""";

    /** @param done the participle for the failed access, such as "read" */
    RuntimeException translate(String done, IOException failed) {
        String what = "Leases of worker IDs in %s cannot be %s: ".formatted(directory, done);
        String reason = reason(failed);
        if (reason.contains("No space left") || reason.contains("quota exceeded")) {
            return Problem.STORE_FULL.exception(
                    what + "the disk is full (" + reason + ")", """
                    Free disk space or inodes:

                    df -h %s
                    df -i %s""".formatted(directory, directory), failed);
        }
        if (reason.contains("Read-only file system")) {
            return unusable(what + "the file system is read-only", ELSEWHERE, failed);
        }
        if (failed instanceof FileAlreadyExistsException || reason.contains("Not a directory")) {
            return unusable(what + "not a directory (" + reason + ")", ELSEWHERE, failed);
        }
        if (failed instanceof AccessDeniedException || reason.contains("Operation not permitted")) {
            return unusable(
                    what + "user '%s' was denied access (%s)".formatted(user(), reason),
                    """
                    Run all processes as one user, and give the directory to that user:

                    sudo install -d -m 700 -o %1$s %2$s
                    sudo chown -R %1$s %2$s

                    If owner and mode are right, a security policy such as SELinux denies the access. On SELinux, mount a volume of a \
                    container with the option 'z', or label the directory again:

                    sudo restorecon -R %2$s""".formatted(user(), directory),
                    failed);
        }
        if (failed instanceof NoSuchFileException && !Files.isDirectory(directory)) {
            return unusable(
                    what + "the directory no longer exists",
                    "Mount or restore it. An empty directory in its place has no record of the leases.",
                    failed);
        }
        return Problem.STORE_REJECTED_CALL.exception(what + reason, null, failed);
    }

    /**
     * Returns the exception for a failure after the file was renamed: it is unknown whether the change is on the disk.
     */
    ConfigurationException unknown(IOException failed) {
        return Problem.STORE_REJECTED_CALL.exception(
                "Leases of worker IDs in %s may or may not have been written: %s".formatted(directory, reason(failed)),
                null,
                failed);
    }

    RuntimeException foreign(Path file) {
        return unusable(
                "File %s is not a lease of a worker ID".formatted(ControlCharacters.escape(file.toString())),
                restore(),
                null);
    }

    RuntimeException missing(int count, int before) {
        return unusable(
                "Files %s.* contain %s leases, but there were %s before"
                        .formatted(directory.resolve(name), count, before),
                restore(),
                null);
    }

    private String restore() {
        return """
                Restore the files. If that is impossible, stop all processes that lease there, wait until the clock is past the timestamp \
                of the last ID, and delete the files:

                rm '%s'.*""".formatted(directory.resolve(name));
    }

    ConfigurationException busy(Duration waited) {
        return Problem.STORE_LOCKED.exception(
                "Another process has held the lock on %s for more than %s ms".formatted(lock(), waited.toMillis()),
                """
                Find the process, and resume or end it:

                fuser -v %s""".formatted(lock()));
    }

    private Path lock() {
        return directory.resolve(name + ".lock");
    }

    private static RuntimeException unusable(String message, String action, @Nullable IOException cause) {
        return Problem.UNSUITABLE_DIRECTORY.exception(message, action, cause).unusable();
    }

    /** Returns the message, or the whole exception if the message is only a file name or missing. */
    private static String reason(IOException failed) {
        boolean hasReason = !(failed instanceof FileSystemException named) || named.getReason() != null;
        return hasReason && failed.getMessage() != null ? failed.getMessage() : failed.toString();
    }

    /**
     * Returns the user name; the numeric ID if the user has no name, as in some containers. On Linux, it does not
     * depend on the property, which images of containers may set.
     */
    static String user() {
        try {
            return Files.getOwner(Path.of("/proc/self")).getName();
        } catch (IOException e) {
            return System.getProperty("user.name");
        }
    }
}
