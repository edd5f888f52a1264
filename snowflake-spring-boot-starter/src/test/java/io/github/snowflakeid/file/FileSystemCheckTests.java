package io.github.snowflakeid.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.github.snowflakeid.WorkerIdUnavailableException;
import io.github.snowflakeid.file.FileSystemCheck.Mount;
import io.github.snowflakeid.store.StoreException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a directory may be on. The mounts are as Linux lists them. */
class FileSystemCheckTests {

    private static final List<String> MOUNTS = List.of(
            "21 1 254:1 / / rw,relatime shared:1 - ext4 /dev/vda1 rw,errors=remount-ro",
            "24 21 0:21 / /run rw,nosuid shared:5 - tmpfs tmpfs rw,size=1632860k,mode=755",
            "30 21 0:40 / /mnt/nas rw,relatime shared:20 - nfs4 nas.example:/export/ids rw,vers=4.2,hard",
            "31 21 0:41 / /mnt/my\\040share rw - cifs //files/my\\040share rw,vers=3.1.1",
            "32 21 0:42 / /mnt/ssh rw,nosuid,nodev - fuse.sshfs app@files: rw,user_id=0",
            "33 21 8:17 / /mnt/windows rw - fuseblk /dev/sdb1 rw,user_id=0",
            "34 21 0:43 / /mnt/host rw - 9p hostshare rw,trans=virtio",
            "35 21 8:33 / /media/stick rw - vfat /dev/sdc1 rw,fmask=0022",
            "36 21 0:44 / /var/lib/docker/overlay2/ab/merged rw - overlay overlay rw,lowerdir=/l",
            "37 21 259:1 /volumes/ids/_data /data rw,relatime master:1 - xfs /dev/nvme0n1p1 rw,attr2",
            "38 21 0:45 / /data/scratch rw - tmpfs tmpfs rw",
            "39 38 8:49 / /data/scratch rw - btrfs /dev/sdd rw",
            "40 21 0:46 / /mnt/gl\\134uster rw - fuse.glusterfs gl:/v rw");

    @ParameterizedTest
    @CsvSource({
        "/, ext4, /dev/vda1",
        "/var/lib/snowflake, ext4, /dev/vda1",
        "/runs, ext4, /dev/vda1",
        "/run, tmpfs, tmpfs",
        "/run/ids, tmpfs, tmpfs",
        "/mnt/nas/ids, nfs4, nas.example:/export/ids",
        "/mnt/my share/ids, cifs, //files/my share",
        "/data/ids, xfs, /dev/nvme0n1p1",
        "/data/scratch/ids, btrfs, /dev/sdd",
        "/mnt/gl\\uster/ids, fuse.glusterfs, gl:/v"
    })
    void theNearestMountAboveADirectorySaysWhatItIsOn(String directory, String type, String source) {
        assertThat(Mount.of(directory, MOUNTS)).isEqualTo(new Mount(type, source));
    }

    @Test
    void mountsInAnotherFormAreUnknown() {
        assertThat(Mount.of("/data", List.of("", "/dev/vda1 / ext4 rw 0 0", "-", " - ")))
                .isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ext4",
                "ext3",
                "xfs",
                "btrfs",
                "zfs",
                "f2fs",
                "fuseblk",
                "ntfs3",
                "apfs",
                "hfs",
                "NTFS",
                "ReFS",
                "bcachefs"
            })
    void disksOfTheMachineAreAccepted(String type) {
        assertThatCode(() -> new Mount(type, "disk").check(Path.of("/data"))).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "nfs4|a network file system (nfs4, x). Other machines may see it, and locks may keep nobody out",
                "cifs|a network file system (cifs, x). Other machines may see it, and locks may keep nobody out",
                "smbfs|a network file system (smbfs, x). Other machines may see it, and locks may keep nobody out",
                "9p|a network file system (9p, x). Other machines may see it, and locks may keep nobody out",
                "virtiofs|a network file system (virtiofs, x). Other machines may see it, and locks may keep nobody out",
                "fuse.sshfs|a file system of a program (FUSE) (fuse.sshfs, x). Its locks may keep nobody out, and what is written may not be on a disk",
                "macfuse|a file system of a program (FUSE) (macfuse, x). Its locks may keep nobody out, and what is written may not be on a disk",
                "tmpfs|a file system in memory (tmpfs, x). A restart of the machine would forget all leases",
                "ramfs|a file system in memory (ramfs, x). A restart of the machine would forget all leases",
                "overlay|a container's own layer (overlay, x). It ends with the container, and no other container sees it",
                "aufs|a container's own layer (aufs, x). It ends with the container, and no other container sees it",
                "vfat|a file system without a journal (vfat, x). A loss of power may destroy a file that is being replaced"
            })
    void othersAreRefused(String type, String why) {
        assertThat(refusal(new Mount(type, "x")))
                .hasMessage("Directory /data/ids is on %s; no worker id is leased there", why)
                .extracting(refused -> refused.action().orElseThrow())
                .asString()
                .endsWith("""
                        Choose a directory on a disk of this machine, for example:

                        snowflake.worker.file.directory: /var/lib/snowflake

                        If only this machine sees the directory, and it outlives restarts, do without this check:

                        snowflake.worker.file.check-file-system: false""");
    }

    @Test
    void whoeverIsInAContainerIsToldHowToMount() {
        assertThat(refusal(new Mount("overlay", "overlay")).action().orElseThrow())
                .startsWith("""
                        Let the container have a directory of the machine:

                        docker run --volume /var/lib/snowflake:/var/lib/snowflake

                        """);
    }

    @Test
    void directoryInMemoryIsRefusedAtTheFirstUseUnlessTheUserKnowsBetter() throws Exception {
        Path memory = Path.of("/dev/shm");
        assumeThat(memory).isDirectory();
        assumeThat(Mount.of(memory)).extracting(Mount::type).isEqualTo("tmpfs");
        Path directory = Files.createTempDirectory(memory, "snowflake");
        try {
            FileWorkerRegistry registry = new FileWorkerRegistry(directory, "default");

            assertThat(catchThrowableOfType(WorkerIdUnavailableException.class, registry::read))
                    .hasMessageStartingWith("Directory %s is on a file system in memory (tmpfs, ", directory);
            assertThat(registry.withoutFileSystemCheck().read().entries()).isEmpty();
        } finally {
            org.springframework.util.FileSystemUtils.deleteRecursively(directory);
        }
    }

    private static StoreException refusal(Mount mount) {
        @Nullable
        WorkerIdUnavailableException refused =
                catchThrowableOfType(WorkerIdUnavailableException.class, () -> mount.check(Path.of("/data/ids")));
        assertThat(refused).isNotNull().hasCauseInstanceOf(StoreException.class);
        return (StoreException) refused.getCause();
    }
}
