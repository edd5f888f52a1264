package io.github.snowflakeid.file;

import io.github.snowflakeid.store.StoreException;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Says what is in the way of leases in a directory, and what to do about it.
 *
 * @param directory that the files are in
 * @param name of the files of the namespace, without their endings
 */
record FileTrouble(Path directory, String name) {

    static final String ELSEWHERE = """
            Choose a directory on a disk of this machine, for example:

            snowflake.worker.file.directory: /var/lib/snowflake""";

    /** At least so much is needed to write a file. */
    private static final long SMALLEST_SPACE = 4096 * 4;

    private Path file(String ending) {
        return directory.resolve(name + ending);
    }

    // ---- before anything is written

    RuntimeException creating(IOException failed) {
        if (failed instanceof FileAlreadyExistsException || failed instanceof NotDirectoryException) {
            Path blocked = blocked(failed);
            String link = Files.isSymbolicLink(blocked) ? "a symbolic link, and " : "";
            return unusable("%s is %sno directory".formatted(blocked, link), ELSEWHERE, failed);
        }
        if (isFull(failed)) {
            return full(failed);
        }
        return unusable(
                "Directory %s does not exist, and cannot be created: %s".formatted(directory, reason(failed)),
                """
                Create it for the user of this process:

                sudo install -d -m 700 -o %s %s""".formatted(user(), directory),
                failed);
    }

    /** @param mode as {@code ls} shows it */
    RuntimeException exposed(String owner, String mode) {
        return unusable(
                "No worker id is leased in %s: the directory must belong to user '%s' with mode %s, but belongs to user '%s' with mode %s. A user who can read its files can lock them, which stops all IDs"
                        .formatted(directory, user(), PrivateDirectory.MODE, owner, mode),
                giveToUser(),
                null);
    }

    private Path blocked(IOException failed) {
        return failed instanceof FileSystemException named && named.getFile() != null
                ? Path.of(named.getFile())
                : directory;
    }

    RuntimeException reading(IOException failed) {
        return refused("read", failed);
    }

    RuntimeException writing(IOException failed) {
        if (isFull(failed)) {
            return full(failed);
        }
        return refused("written", failed);
    }

    private RuntimeException refused(String done, IOException failed) {
        String what = "Leases of worker ids in %s cannot be %s: ".formatted(directory, done);
        if (isReadOnly(failed)) {
            return unusable(what + "the file system is read-only", ELSEWHERE, failed);
        }
        if (failed instanceof AccessDeniedException) {
            return unusable(what + "user '%s' may not: %s".formatted(user(), reason(failed)), giveToUser(), failed);
        }
        if (failed instanceof NoSuchFileException && !Files.isDirectory(directory)) {
            return unusable(
                    what + "the directory has vanished",
                    "Mount or restore it. An empty one has forgotten all leases.",
                    failed);
        }
        if (failed instanceof ClosedByInterruptException) {
            return interrupted(failed);
        }
        return new StoreException(what + reason(failed), null, failed);
    }

    private String giveToUser() {
        return """
                Run all processes as one user, and give the directory to that user:

                sudo chown -R %s %s
                sudo chmod -R u=rwX,go= %s""".formatted(user(), directory, directory);
    }

    private StoreException full(IOException failed) {
        return new StoreException(
                "Leases of worker ids in %s cannot be written: the disk is full (%s)"
                        .formatted(directory, reason(failed)),
                """
                Free some space, or some inodes:

                df -h %s
                df -i %s""".formatted(directory, directory),
                failed);
    }

    // ---- the files themselves

    StoreException foreign(LeaseText.Unreadable why) {
        return new StoreException(
                "File %s has no leases of worker ids: it %s".formatted(file(".leases"), why.getMessage()),
                "Restore it. " + anew(),
                why);
    }

    StoreException lost() {
        return new StoreException(
                "File %s is missing, but there were leases of worker ids in it".formatted(file(".leases")),
                "Restore it. " + anew(),
                null);
    }

    private String anew() {
        return """
                Or stop all processes that lease there, wait until the clock is past the timestamp of the last id, and begin anew:

                rm '%s' '%s'""".formatted(file(".leases"), file(".lock"));
    }

    // ---- what may be different a little later

    StoreException unlocked() {
        return new StoreException(
                "File %s was deleted while it was locked; nothing was written".formatted(file(".lock")), null, null);
    }

    /** After the file has its new name, it is not known whether the disk has it. */
    StoreException unknown(IOException failed) {
        return new StoreException(
                "Leases of worker ids in %s may or may not be written: %s".formatted(directory, reason(failed)),
                null,
                failed);
    }

    StoreException busy(boolean byThisProcess, Duration waited) {
        return byThisProcess
                ? new StoreException(
                        "Another thread of this process has locked %s for more than %d ms"
                                .formatted(file(".lock"), waited.toMillis()),
                        "See whether the disk hangs.",
                        null)
                : new StoreException(
                        "Another process has locked %s for more than %d ms".formatted(file(".lock"), waited.toMillis()),
                        """
                        Find it, and continue or end it:

                        fuser -v %s""".formatted(file(".lock")),
                        null);
    }

    StoreException interrupted(Exception stop) {
        return new StoreException("The thread was interrupted while it used %s".formatted(directory), null, stop);
    }

    // ---- what an exception says

    private static RuntimeException unusable(String message, String action, @Nullable IOException cause) {
        return new StoreException(message, action, cause).unusable();
    }

    /** The system's text may be in any language, so the disk is asked as well. */
    private boolean isFull(IOException failed) {
        String reason = reason(failed);
        return reason.contains("No space left") || reason.contains("quota exceeded") || hasNoSpace();
    }

    private boolean hasNoSpace() {
        try {
            return Files.getFileStore(nearest()).getUsableSpace() < SMALLEST_SPACE;
        } catch (IOException unknown) {
            return false;
        }
    }

    private boolean isReadOnly(IOException failed) {
        try {
            return reason(failed).contains("Read-only file system")
                    || Files.getFileStore(nearest()).isReadOnly();
        } catch (IOException unknown) {
            return false;
        }
    }

    /** The directory, or what is there above it. */
    private Path nearest() {
        Path nearest = directory;
        while (!Files.exists(nearest) && nearest.getParent() != null) {
            nearest = nearest.getParent();
        }
        return nearest;
    }

    /** In one line, with the name of the file if there is one. */
    private static String reason(IOException failed) {
        @Nullable String message = failed.getMessage();
        if (failed instanceof AccessDeniedException denied && denied.getReason() == null) {
            message = denied.getFile() + ": permission denied";
        } else if (failed instanceof NoSuchFileException missing) {
            message = missing.getFile() + ": no such file";
        }
        return message == null
                ? failed.getClass().getSimpleName()
                : message.lines().findFirst().orElse("");
    }

    /** In a container, the user may have a number only. */
    private static String user() {
        String name = Objects.requireNonNullElse(System.getProperty("user.name"), "?");
        try {
            return name.equals("?") ? Files.getOwner(Path.of("/proc/self")).getName() : name;
        } catch (IOException notLinux) {
            return name;
        }
    }
}
