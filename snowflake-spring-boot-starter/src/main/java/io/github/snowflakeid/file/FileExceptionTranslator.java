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
 * Translates failures of a lease directory into exceptions that say what to do.
 *
 * @param directory that the files are in
 * @param name of the files of the namespace, without their endings
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

    /** @param mode as {@code ls} shows it */
    RuntimeException exposed(String owner, String mode) {
        return unusable(
                "No worker ID is leased in %s: the directory must belong to user '%s' with mode rwx------, but belongs to user '%s' with mode %s. A user who can read its files can lock them, which stops all IDs"
                        .formatted(directory, user(), owner, mode),
                giveToUser(),
                null);
    }

    /** @param done what failed, for example "read" */
    RuntimeException translate(String done, IOException failed) {
        String what = "Leases of worker IDs in %s cannot be %s: ".formatted(directory, done);
        String reason = reason(failed);
        if (reason.contains("No space left") || reason.contains("quota exceeded")) {
            return Problem.STORE_FULL.exception(
                    what + "the disk is full (" + reason + ")", """
                    Free some space, or some inodes:

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
                    what + "the directory has vanished",
                    "Mount or restore it. An empty directory in its place has no record of the leases.",
                    failed);
        }
        return Problem.STORE_REJECTED_CALL.exception(what + reason, null, failed);
    }

    /** Once a file has its new name, it is not known whether the disk has it. */
    ConfigurationException unknown(IOException failed) {
        return Problem.STORE_REJECTED_CALL.exception(
                "It is unknown whether leases of worker IDs in %s were written: %s"
                        .formatted(directory, reason(failed)),
                null,
                failed);
    }

    /** @param why the file cannot be used, as the end of a sentence */
    RuntimeException foreign(@Nullable String why) {
        return unusable(
                "File %s has no leases of worker IDs: it %s".formatted(file(".leases"), why),
                """
                Restore it. Or stop all processes that lease there, wait until the clock is past the timestamp of the last ID, and start over:

                rm '%s' '%s'""".formatted(file(".leases"), file(".lock")),
                null);
    }

    ConfigurationException unlocked() {
        return Problem.STORE_REJECTED_CALL.exception(
                "File %s was deleted while it was locked; nothing was written".formatted(file(".lock")), null, null);
    }

    ConfigurationException busy(Duration waited) {
        return Problem.STORE_LOCKED.exception(
                "Another process has locked %s for more than %d ms".formatted(file(".lock"), waited.toMillis()),
                """
                Find it, and continue or end it:

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

    /** Without a reason of the system, the message is the name of the file, or missing. */
    private static String reason(IOException failed) {
        boolean hasReason = !(failed instanceof FileSystemException named) || named.getReason() != null;
        return hasReason && failed.getMessage() != null ? failed.getMessage() : failed.toString();
    }

    /** In a container, the user may have a number only. */
    private static String user() {
        String name = System.getProperty("user.name", "?");
        try {
            return name.equals("?") ? Files.getOwner(Path.of("/proc/self")).getName() : name;
        } catch (IOException e) {
            return name;
        }
    }
}
