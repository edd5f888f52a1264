package io.github.snowflakeid.file;

import io.github.snowflakeid.store.StoreException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Refuses directories whose files other machines see, that forget, or that lose files when the power fails. */
interface FileSystemCheck {

    /** What is known of the file systems of this machine. */
    FileSystemCheck USUAL = (given, real) -> Mount.of(real).check(given);

    /** For whoever knows better. */
    FileSystemCheck NONE = (given, real) -> {};

    /**
     * Looks at a directory.
     *
     * @param given its name, for messages
     * @param real the same one without symbolic links
     * @throws io.github.snowflakeid.WorkerIdUnavailableException if leases cannot be kept there
     */
    void accept(Path given, Path real) throws IOException;

    /**
     * What a directory is on.
     *
     * @param type of the file system, as the system calls it
     * @param source the disk or server
     */
    record Mount(String type, String source) {

        private static final Path MOUNTS = Path.of("/proc/self/mountinfo");
        private static final Pattern OCTAL = Pattern.compile("\\\\([0-7]{3})");

        private static final Set<String> OF_NETWORKS = Set.of(
                "nfs",
                "nfs3",
                "nfs4",
                "cifs",
                "smb",
                "smb2",
                "smb3",
                "smbfs",
                "ncpfs",
                "afs",
                "afpfs",
                "coda",
                "ceph",
                "glusterfs",
                "lustre",
                "beegfs",
                "gpfs",
                "gfs2",
                "ocfs2",
                "orangefs",
                "pvfs2",
                "davfs",
                "webdav",
                "9p",
                "v9fs",
                "virtiofs",
                "vboxsf",
                "vmhgfs",
                "prl_fs",
                "unc");
        private static final Set<String> IN_MEMORY = Set.of("tmpfs", "ramfs", "rootfs", "devtmpfs", "hugetlbfs");
        private static final Set<String> OF_CONTAINERS = Set.of("overlay", "overlayfs", "aufs", "unionfs", "shiftfs");
        private static final Set<String> WITHOUT_JOURNAL = Set.of("vfat", "msdos", "fat", "fat32", "exfat", "ext2");

        /** What Linux says of it; elsewhere, and where that is hidden, what Java knows. */
        static Mount of(Path real) throws IOException {
            if (real.toString().startsWith("\\\\")) {
                return new Mount("unc", String.valueOf(real.getRoot()));
            }
            if (Files.isReadable(MOUNTS)) {
                Mount mount = of(real.toString(), Files.readAllLines(MOUNTS, StandardCharsets.ISO_8859_1));
                if (mount != null) {
                    return mount;
                }
            }
            return new Mount(
                    Files.getFileStore(real).type(), Files.getFileStore(real).name());
        }

        /** @param mounts lines as in proc_pid_mountinfo(5); of two at one place, the later one hides the other */
        static @Nullable Mount of(String directory, List<String> mounts) {
            @Nullable Mount found = null;
            int longest = -1;
            for (String line : mounts) {
                int separator = line.indexOf(" - ");
                String[] place = line.substring(0, Math.max(separator, 0)).split(" ", -1);
                String[] what = line.substring(separator + 1).split(" ", -1);
                if (place.length >= 5 && what.length >= 3) {
                    String point = unescaped(place[4]);
                    boolean above = point.equals("/") || (directory + "/").startsWith(point + "/");
                    if (above && point.length() >= longest) {
                        longest = point.length();
                        found = new Mount(what[1], unescaped(what[2]));
                    }
                }
            }
            return found;
        }

        /** Bytes stand for themselves, or as octal numbers where they would separate. */
        private static String unescaped(String text) {
            String bytes = OCTAL.matcher(text).replaceAll(Mount::character);
            return new String(bytes.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
        }

        private static String character(MatchResult octal) {
            String character = String.valueOf((char) Integer.parseInt(octal.group(1), 8));
            return character.equals("\\") ? "\\\\" : character;
        }

        /** @throws io.github.snowflakeid.WorkerIdUnavailableException if leases cannot be kept there */
        void check(Path directory) {
            String known = type.toLowerCase(Locale.ROOT);
            boolean ofFuse = known.equals("fuse")
                    || known.startsWith("fuse.")
                    || known.contains("osxfuse")
                    || known.equals("macfuse");
            if (OF_NETWORKS.contains(known)) {
                throw refused(
                        directory,
                        "a network file system",
                        "Other machines may see it, and locks may keep nobody out",
                        "");
            }
            if (ofFuse) {
                throw refused(
                        directory,
                        "a file system of a program (FUSE)",
                        "Its locks may keep nobody out, and what is written may not be on a disk",
                        "");
            }
            if (IN_MEMORY.contains(known)) {
                throw refused(
                        directory, "a file system in memory", "A restart of the machine would forget all leases", "");
            }
            if (OF_CONTAINERS.contains(known)) {
                throw refused(
                        directory,
                        "a container's own layer",
                        "It ends with the container, and no other container sees it",
                        """
                        Let the container have a directory of the machine:

                        docker run --volume /var/lib/snowflake:/var/lib/snowflake

                        """);
            }
            if (WITHOUT_JOURNAL.contains(known)) {
                throw refused(
                        directory,
                        "a file system without a journal",
                        "A loss of power may destroy a file that is being replaced",
                        "");
            }
        }

        private RuntimeException refused(Path directory, String kind, String effect, String first) {
            return new StoreException(
                            "Directory %s is on %s (%s, %s). %s; no worker id is leased there"
                                    .formatted(directory, kind, type, source, effect),
                            first + FileTrouble.ELSEWHERE + """


                            If only this machine sees the directory, and it outlives restarts, do without this check:

                            snowflake.worker.file.check-file-system: false""",
                            null)
                    .unusable();
        }
    }
}
