package io.github.snowflakeid.file;

import io.github.snowflakeid.internal.failure.ConfigurationException;
import io.github.snowflakeid.internal.failure.Problem;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Translates failures of a lease directory into exceptions with an action.
 *
 * @param directory the directory of the files
 * @param name the name of the namespace's files, without the extension
 */
record FileExceptionTranslator(Path directory, String name) {

    static final String ELSEWHERE = """
            Choose a directory on a disk of this machine, for example:

            {snowflake}.worker.file.directory: /var/lib/snowflake""";

    private Path file(String ending) {
        return directory.resolve(name + ending);
    }

    RuntimeException creating(IOException failed) {
        Path nearest = directory;
        while (!Files.exists(nearest, LinkOption.NOFOLLOW_LINKS)) {
            nearest = Objects.requireNonNull(nearest.getParent());
        }
        if (Files.isSymbolicLink(directory) || !Files.isDirectory(nearest)) {
            String kind = Files.isSymbolicLink(nearest) ? "a symbolic link, not a directory" : "not a directory";
            return unusable("%s is %s".formatted(nearest, kind), ELSEWHERE, failed);
        }
        if (nearest.equals(directory)) {
            return translate("written", failed);
        }
        return unusable(
                "Directory %s does not exist and cannot be created: %s".formatted(directory, reason(failed)),
                """
                Create it for the user of this process:

                sudo install -d -m 700 -o %s %s""".formatted(user(), directory),
                failed);
    }

    /** @param mode the permissions, in the form of {@code ls} */
    RuntimeException exposed(String owner, String mode) {
        return unusable(
                "No worker ID is leased in %s: the directory must belong to user '%s' with mode rwx------, but belongs to user '%s' with mode %s. Any user who can read its files can lock them and thereby stop ID generation"
                        .formatted(directory, user(), owner, mode),
                giveToUser(),
                null);
    }

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
        if (failed instanceof AccessDeniedException denied) {
            return unusable(
                    what + "user '%s' was denied access to %s".formatted(user(), denied.getFile()),
                    giveToUser() + """


                    If owner and mode are right, a security policy such as SELinux denies the access. On SELinux, mount a volume of a \
                    container with the option 'z', or label the directory again:

                    sudo restorecon -R %s""".formatted(directory),
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

    /** @param why the reason that the file cannot be used, as the end of a sentence */
    RuntimeException foreign(@Nullable String why) {
        return unusable(
                "File %s cannot be used for leases of worker IDs: it %s".formatted(file(".leases"), why),
                """
                Restore the file. If that is impossible, stop all processes that lease there, wait until the clock is past the timestamp \
                of the last ID, and delete the files:

                rm '%s' '%s'""".formatted(file(".leases"), file(".lock")),
                null);
    }

    ConfigurationException unlocked() {
        return Problem.STORE_REJECTED_CALL.exception(
                "File %s was deleted while it was locked; nothing was written".formatted(file(".lock")), null, null);
    }

    ConfigurationException busy(Duration waited) {
        return Problem.STORE_LOCKED.exception(
                "Another process has held the lock on %s for more than %s ms"
                        .formatted(file(".lock"), waited.toMillis()),
                """
                Find the process, and resume or end it:

                fuser -v %s""".formatted(file(".lock")));
    }

    private static RuntimeException unusable(String message, String action, @Nullable IOException cause) {
        return Problem.UNSUITABLE_DIRECTORY.exception(message, action, cause).unusable();
    }

    private String giveToUser() {
        return """
                Run all processes as one user, and give the directory to that user:

                sudo chown -R %s %s
                sudo chmod -R u=rwX,go= %s""".formatted(user(), directory, directory);
    }

    /** Returns the message, or the whole exception if the message is only a file name or missing. */
    private static String reason(IOException failed) {
        boolean hasReason = !(failed instanceof FileSystemException named) || named.getReason() != null;
        return hasReason && failed.getMessage() != null ? failed.getMessage() : failed.toString();
    }

    /** Returns the user name; the numeric ID if the user has no name, as in some containers. */
    private static String user() {
        String name = System.getProperty("user.name", "?");
        try {
            return name.equals("?") ? Files.getOwner(Path.of("/proc/self")).getName() : name;
        } catch (IOException e) {
            return name;
        }
    }
}
