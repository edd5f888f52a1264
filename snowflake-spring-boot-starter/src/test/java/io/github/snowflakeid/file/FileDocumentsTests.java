package io.github.snowflakeid.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.github.snowflakeid.IdLayout;
import io.github.snowflakeid.LeaseTerms;
import io.github.snowflakeid.SnowflakeIdGenerator;
import io.github.snowflakeid.WorkerIdUnavailableException;
import io.github.snowflakeid.WorkerRegistry.Claim;
import io.github.snowflakeid.WorkerRegistry.Entry;
import io.github.snowflakeid.failure.ConfigurationException;
import io.github.snowflakeid.file.FileDocuments.Step;
import io.github.snowflakeid.worker.DocumentRegistry;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class FileDocumentsTests {

    private static final Duration TTL = Duration.ofSeconds(60);
    private static final Instant NOW = Instant.parse("2026-11-21T09:30:00.321Z");
    private static final IdLayout OF_ONE_WORKER =
            IdLayout.builder().datacenterBits(0).workerBits(0).build();

    @TempDir
    private Path directory;

    private final AtomicReference<Instant> clock = new AtomicReference<>(NOW);

    private DocumentRegistry registry() {
        return registry("default");
    }

    private DocumentRegistry registry(String namespace) {
        return registry(namespace, step -> {});
    }

    private DocumentRegistry registry(String namespace, FileDocuments.Hook hook) {
        return registry(directory, namespace, hook);
    }

    private DocumentRegistry registry(Path store, String namespace, FileDocuments.Hook hook) {
        return FileDocuments.registry(
                store, namespace, new FileDocuments.Settings(false, Duration.ofSeconds(5), clock::get, hook));
    }

    private Path file(String ending) {
        return own().resolve("snowflake-default." + ending);
    }

    private Path own() {
        return directory.resolve("snowflake");
    }

    private static Claim claim(int workerId, String owner) {
        return Claim.of(3, workerId, owner, "shop, pid 1", Instant.EPOCH, NOW.plusSeconds(30), "layout");
    }

    // ---- contents of the file

    @Test
    void fileIsTextThatPeopleCanRead() {
        registry().acquire(null, claim(6, "b"), TTL);
        registry().acquire(null, claim(7, "a"), TTL);
        registry().release(claim(6, "b"), NOW);

        assertThat(file("3-7")).hasContent("""
                snowflake 1
                a
                2026-11-21T09:30:30.321Z
                2026-11-21T09:31:00.321Z
                layout
                shop, pid 1""");
        assertThat(file("3-6")).hasContent("""
                snowflake 1

                2026-11-21T09:30:00.321Z
                2026-11-21T09:30:00.321Z
                layout
                shop, pid 1""");
    }

    @ParameterizedTest
    @CsvSource({
        "orders, orders",
        "Orders, 7442e29d-7d53-3549-b78d-93c46b8cdcfc",
        "'orders ', 36657340-c177-3c28-bc5b-4de87c180bcf",
        "\u96ea, c4fccd8d-d11f-376e-8c6c-1e574569794a",
        "../x, c5af1e90-93f9-3b20-a7e0-470c14295da4",
    })
    void namesOfFilesDifferAsNamespacesDo(String namespace, String name) throws Exception {
        registry(namespace).acquire(null, claim(7, "a"), TTL);

        try (Stream<Path> files = Files.list(own())) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .containsExactlyInAnyOrder("snowflake-" + name + ".3-7", "snowflake-" + name + ".lock");
        }
    }

    @Test
    void directoryIsCreatedWithThoseAboveIt() {
        Path deep = directory.resolve("a/b/c");

        registry(deep, "default", step -> {}).acquire(null, claim(7, "a"), TTL);

        assertThat(deep.resolve("snowflake")).isDirectoryContaining("glob:**snowflake-default.3-7");
    }

    @Test
    void nothingIsTouchedBeforeTheFirstUse() {
        DocumentRegistry registry = FileDocuments.registry(directory.resolve("store"), "default");

        assertThat(registry.namespace()).isEqualTo("default");
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void namespaceMustHaveAName() {
        assertThatThrownBy(() -> registry(" "))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("namespace must have 1 to 100 characters, but was ' '");
    }

    @Test
    void directoryMustBeTheSameFromAnyWorkingDirectory() {
        assertThatThrownBy(() -> FileDocuments.registry(Path.of("ids"), "default"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("directory must be an absolute path, but was 'ids'");
    }

    // ---- crashes

    /** An unhandled error is the closest that a test comes to the end of a process. */
    @ParameterizedTest
    @EnumSource
    void crashAtAnyPointLeavesTheOldFileOrTheNewOne(Step step) {
        registry().acquire(null, claim(7, "a"), TTL);
        boolean[] crashes = {true};
        DocumentRegistry crashing = registry("default", at -> {
            if (at == step && crashes[0]) {
                throw new InternalError("power failure");
            }
        });
        assertThat(catchThrowable(() -> crashing.acquire(null, claim(8, "b"), TTL)))
                .isInstanceOf(InternalError.class);

        boolean isNew = step.compareTo(Step.MOVED) >= 0;
        assertThat(registry().read().entries())
                .extracting(Entry::owner)
                .containsExactlyInAnyOrder(isNew ? new String[] {"a", "b"} : new String[] {"a"});
        assertThat(registry().acquire(null, claim(8, "c"), TTL)).isEqualTo(!isNew);
        crashes[0] = false;
        assertThat(crashing.acquire(null, claim(9, "d"), TTL)).isTrue();
        assertThat(own()).isDirectoryNotContaining("glob:**.tmp");
    }

    @Test
    void temporaryFileThatACrashLeftIsReplaced() throws Exception {
        Files.createDirectory(own());
        Files.writeString(file("tmp"), "half of a");

        registry().acquire(null, claim(7, "a"), TTL);

        assertThat(registry().read().entries()).hasSize(1);
        assertThat(file("tmp")).doesNotExist();
    }

    /** The description at the end is for people only. */
    @Test
    void eachByteThatIsMissingIsNoticed() throws Exception {
        registry().acquire(null, claim(7, "a"), TTL);
        byte[] whole = Files.readAllBytes(file("3-7"));
        for (int length = 0; length < whole.length - "shop, pid 1".length(); length++) {
            Files.write(file("3-7"), Arrays.copyOf(whole, length));
            assertThatThrownBy(() -> registry().read()).isInstanceOf(WorkerIdUnavailableException.class);
        }
        Files.write(file("3-7"), whole);
        assertThat(registry().read().entries()).hasSize(1);
    }

    // ---- damaged and foreign files

    @ParameterizedTest
    @ValueSource(strings = {"", "7", "snowflake 2\na\n2026-11-21T09:30:30Z\n2026-11-21T09:30:30Z\nlayout\nshop"})
    void foreignFileIsRejectedAndLeftAlone(String foreign) throws Exception {
        Files.createDirectory(own());
        Files.writeString(file("3-7"), foreign);

        for (Runnable use :
                new Runnable[] {() -> registry().read(), () -> registry().acquire(null, claim(7, "a"), TTL)}) {
            assertThat(unusable(use))
                    .hasMessage("File %s is not a lease of a worker ID", file("3-7"))
                    .extracting(rejected -> rejected.action().orElseThrow())
                    .isEqualTo("""
                            Restore the files. If that is impossible, stop all processes that lease there, wait until the clock is past the \
                            timestamp of the last ID, and delete the files:

                            rm '%s'.*""".formatted(own().resolve("snowflake-default")));
        }
        assertThat(file("3-7")).hasContent(foreign);
    }

    @ParameterizedTest
    @ValueSource(strings = {"3-7.old", "3-7~", "3"})
    void copyOfALeaseIsRejectedUntilItIsDeleted(String copy) throws Exception {
        registry().acquire(null, claim(7, "a"), TTL);
        Files.copy(file("3-7"), file(copy));

        assertThat(unusable(() -> registry().read())).hasMessage("File %s is not a lease of a worker ID", file(copy));
        registry().acquire(null, claim(8, "b"), TTL);

        Files.delete(file(copy));
        assertThat(registry().read().entries()).hasSize(2);
    }

    @Test
    void copyOfALeaseDoesNotReplaceADeletedOne() throws Exception {
        registry().acquire(null, claim(7, "a"), TTL);
        Files.move(file("3-7"), file("3-7.old"));

        for (Runnable use :
                new Runnable[] {() -> registry().read(), () -> registry().acquire(null, claim(7, "b"), TTL)}) {
            assertThat(unusable(use)).hasMessageEndingWith("contain 0 leases, but there were 1 before");
        }
        assertThat(file("3-7")).doesNotExist();
    }

    /** The names of the namespaces begin alike. */
    @Test
    void beginningAnewLeavesOtherNamespacesAlone(@TempDir Path parent) throws Exception {
        Path spaced = Files.createDirectory(parent.resolve("of the shop"));
        DocumentRegistry other = FileDocuments.registry(spaced, "shop-1", false);
        DocumentRegistry broken = FileDocuments.registry(spaced, "shop", false);
        assertThat(other.acquire(null, claim(7, "a"), TTL)).isTrue();
        assertThat(broken.acquire(null, claim(7, "b"), TTL)).isTrue();
        Files.writeString(spaced.resolve("snowflake/snowflake-shop.3-7"), "7");

        String advice = unusable(broken::read).action().orElseThrow();
        String command = advice.substring(advice.lastIndexOf('\n') + 1);
        assertThat(new ProcessBuilder("sh", "-c", command).start().waitFor()).isZero();

        assertThat(broken.read().entries()).isEmpty();
        assertThat(other.read().entries()).hasSize(1);
    }

    @Test
    void deletedFilesAreNotTakenForANewNamespace() throws Exception {
        registry().acquire(null, claim(7, "a"), TTL);
        Files.delete(file("3-7"));

        assertThat(unusable(() -> registry().read()))
                .hasMessage("Files %s.* contain 0 leases, but there were 1 before", own().resolve("snowflake-default"));

        Files.delete(file("lock"));
        assertThat(registry().read().entries()).isEmpty();
    }

    /** Its process may still issue IDs of the worker ID. */
    @ParameterizedTest
    @ValueSource(ints = {6, 7})
    void deletedFileIsNotTakenForAWorkerIdThatWasNeverLeased(int deleted) throws Exception {
        registry().acquire(null, claim(6, "a"), TTL);
        registry().acquire(null, claim(7, "b"), TTL);
        Files.delete(file("3-" + deleted));

        for (Runnable use : new Runnable[] {
            () -> registry().read(), () -> registry().acquire(null, claim(deleted, "c"), TTL),
        }) {
            assertThat(unusable(use))
                    .hasMessage(
                            "Files %s.* contain 1 leases, but there were 2 before", own().resolve("snowflake-default"));
        }
        assertThat(file("3-" + deleted)).doesNotExist();
        assertThat(registry().renew(claim(13 - deleted, deleted == 6 ? "b" : "a"), NOW.plusSeconds(50), TTL))
                .isTrue();
    }

    /** A process may be killed after it has written a lease and before it has written how many there are. */
    @Test
    void leasesAreCountedAgainAfterACrash() throws Exception {
        for (int workerId = 6; workerId <= 7; workerId++) {
            Claim claim = claim(workerId, "a");
            DocumentRegistry killed = registry("default", failAt(Step.MOVED, new IOException("killed")));
            assertThatThrownBy(() -> killed.acquire(null, claim, TTL)).isInstanceOf(ConfigurationException.class);
        }
        registry().read();
        Files.delete(file("3-7"));

        assertThat(unusable(() -> registry().read())).hasMessageEndingWith("contain 1 leases, but there were 2 before");
    }

    @Test
    void lockFileThatIsDeletedMeanwhileKeepsOthersOutNoLongerSoNothingIsWritten() throws Exception {
        DocumentRegistry cleaned = registry("default", at -> {
            if (at == Step.WRITTEN) {
                Files.delete(file("lock"));
            }
        });

        assertThatThrownBy(() -> cleaned.acquire(null, claim(7, "a"), TTL))
                .isInstanceOf(ConfigurationException.class)
                .hasMessage(
                        "Leases of worker IDs in %s cannot be written: %s: it was deleted while it was locked",
                        own(), file("lock"));

        assertThat(registry().acquire(null, claim(8, "b"), TTL)).isTrue();
        Files.delete(file("lock"));
        assertThat(registry().acquire(null, claim(9, "c"), TTL)).isTrue();
        assertThat(registry().read().entries()).extracting(Entry::owner).containsExactlyInAnyOrder("b", "c");
    }

    /** Otherwise this process and one that locks the new file would both write. */
    @Test
    void lockFileThatIsReplacedDuringTheWaitIsNotTakenForTheNewFile() throws Exception {
        Path file = directory.resolve("lock");
        // The open file keeps its file key.
        try (FileChannel deleted = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            FileChannel waiting = mock();
            when(waiting.tryLock()).thenAnswer(call -> {
                Files.delete(file);
                Files.createFile(file);
                return deleted.tryLock();
            });

            ExclusiveLock lock = ExclusiveLock.acquire(file, waiting, Duration.ofSeconds(5));

            assertThat(Objects.requireNonNull(lock).isStillThere()).isFalse();
        }
    }

    // ---- failures of the disk

    @Test
    void fullDiskIsAnErrorThatMayPass() {
        DocumentRegistry full = registry("default", failAt(Step.WRITTEN, new IOException("No space left on device")));

        assertThat(catchThrowable(() -> full.acquire(null, claim(7, "a"), TTL)))
                .isInstanceOfSatisfying(ConfigurationException.class, failure -> {
                    assertThat(failure)
                            .hasMessage(
                                    "Leases of worker IDs in %s cannot be written: the disk is full (No space left on device)",
                                    own());
                    assertThat(failure.action()).hasValue("""
                            Free disk space or inodes:

                            df -h %s
                            df -i %s""".formatted(own(), own()));
                });
        assertThat(registry().read().entries()).isEmpty();
    }

    @Test
    void diskThatIsReadOnlyIsRejected() {
        IOException failure = new FileSystemException(file("tmp").toString(), null, "Read-only file system");

        ConfigurationException rejected = unusable(
                () -> registry("default", failAt(Step.WRITTEN, failure)).acquire(null, claim(7, "a"), TTL));

        assertThat(rejected)
                .hasMessage("Leases of worker IDs in %s cannot be written: the file system is read-only", own());
        assertThat(rejected.action()).hasValue(ConfigurationException.text(FileExceptionTranslator.ELSEWHERE, ""));
    }

    @Test
    void fileOfAnotherUserIsRejected() throws Exception {
        String user = System.getProperty("user.name");
        assumeThat(user).isEqualTo("root");
        FileDocuments.Hook denied = at -> {
            // As if another user had restored the file. This test runs as root, which has access to everything.
            Files.setOwner(file("lock"), user("nobody"));
            throw new AccessDeniedException(file("lock").toString());
        };

        ConfigurationException rejected =
                unusable(() -> registry("default", denied).acquire(null, claim(7, "a"), TTL));

        assertThat(rejected)
                .hasMessage(
                        "Leases of worker IDs in %s cannot be written: user '%s' was denied access (java.nio.file.AccessDeniedException: %s)",
                        own(), user, file("lock"));
        assertThat(rejected.action()).hasValue("""
                Run all processes as one user, and give the directory to that user:

                sudo install -d -m 700 -o %1$s %2$s
                sudo chown -R %1$s %2$s

                If owner and mode are right, a security policy such as SELinux denies the access. On SELinux, mount a volume of a \
                container with the option 'z', or label the directory again:

                sudo restorecon -R %2$s""".formatted(user, own()));
    }

    @Test
    void whatFailsBehindTheMoveMayBeWritten() {
        DocumentRegistry registry = registry("default", failAt(Step.MOVED, new IOException("Input/output error")));

        assertThatThrownBy(() -> registry.acquire(null, claim(7, "a"), TTL))
                .isInstanceOf(ConfigurationException.class)
                .hasMessage("Leases of worker IDs in %s may or may not have been written: Input/output error", own());
    }

    @Test
    void fileInPlaceOfADirectoryIsRejected() throws Exception {
        Path taken = Files.createFile(directory.resolve("taken"));
        for (Path place : new Path[] {taken, taken.resolve("store")}) {
            ConfigurationException rejected =
                    unusable(() -> FileDocuments.registry(place, "default").read());

            assertThat(rejected)
                    .hasMessageStartingWith(
                            "Leases of worker IDs in %s cannot be read: not a directory (", place.resolve("snowflake"))
                    .hasMessageContaining(place + "");
            assertThat(rejected.action()).hasValue("""
                    Choose a directory on a disk of this machine, for example:

                    snowflake.worker.file.directory: /var/lib/snowflake""");
        }
    }

    @Test
    void directoryThatVanishesIsNotCreatedAgain() throws Exception {
        DocumentRegistry registry = registry(directory.resolve("store"), "default", step -> {});
        registry.acquire(null, claim(7, "a"), TTL);
        org.springframework.util.FileSystemUtils.deleteRecursively(directory.resolve("store"));

        ConfigurationException rejected = unusable(() -> registry.acquire(null, claim(8, "b"), TTL));

        assertThat(rejected)
                .hasMessage(
                        "Leases of worker IDs in %s cannot be read: the directory no longer exists",
                        directory.resolve("store/snowflake"));
        assertThat(rejected.action())
                .hasValue("Mount or restore it. An empty directory in its place has no record of the leases.");
        assertThat(directory).isEmptyDirectory();
    }

    // ---- owners and permissions

    /** The directory itself may be a mount that all users may write to, such as an {@code emptyDir} of Kubernetes. */
    @Test
    void othersMayNotReadTheFilesInADirectoryThatTheyMayWrite() throws Exception {
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxrwxrwx"));

        registry().acquire(null, claim(7, "a"), TTL);

        assertThat(mode(directory)).isEqualTo("rwxrwxrwx");
        assertThat(mode(own())).isEqualTo("rwx------");
    }

    /** A user who can read the file can lock it. */
    // Slow: runs other processes as another user.
    @Tag("full")
    @Test
    void anotherUserCannotReadTheFileThatIsLocked() throws Exception {
        assumeThat(System.getProperty("user.name")).isEqualTo("root");
        assumeThat(Path.of("/usr/bin/setpriv")).isExecutable();
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxrwxrwx"));
        registry().acquire(null, claim(7, "a"), TTL);

        Process other = new ProcessBuilder(
                        "setpriv",
                        "--reuid=65534",
                        "--regid=65534",
                        "--clear-groups",
                        "cat",
                        file("lock").toString())
                .redirectErrorStream(true)
                .start();

        assertThat(new String(other.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .contains("Permission denied");
        assertThat(other.waitFor()).isNotZero();
    }

    /** Kubernetes gives a pod's group access to all files of a volume each time it mounts the volume. */
    @Test
    void accessOfOthersIsRemovedAtStartup() throws Exception {
        registry().acquire(null, claim(7, "a"), TTL);
        Files.setPosixFilePermissions(own(), PosixFilePermissions.fromString("rwxrwx--x"));

        assertThat(registry().read().entries()).hasSize(1);

        assertThat(mode(own())).isEqualTo("rwx------");
    }

    @Test
    void subdirectoryOfAnotherUserIsRejected() throws Exception {
        assumeThat(System.getProperty("user.name")).isEqualTo("root");
        Files.createDirectory(own());
        Files.setOwner(own(), user("nobody"));

        assertThat(unusable(() -> registry().read()))
                .hasMessage(
                        "Leases of worker IDs in %1$s cannot be read: user 'root' was denied access (%1$s: it belongs to user 'nobody')",
                        own());
        assertThat(own()).isEmptyDirectory();
    }

    /** Root without its capabilities has no access to files of others, as any user. */
    // Slow: runs another process.
    @Tag("full")
    @ParameterizedTest
    @CsvSource({
        "nobody, rwx------, .*/snowflake: it belongs to user 'nobody'",
        "root, r-x------, java.nio.file.AccessDeniedException: .*/snowflake/snowflake-[0-9]+.tmp",
    })
    void subdirectoryWithoutAccessIsRejectedWithItsOwner(String owner, String mode, String reason) throws Exception {
        assumeThat(System.getProperty("user.name")).isEqualTo("root");
        assumeThat(Path.of("/usr/bin/setpriv")).isExecutable();
        Files.createDirectory(own());
        Files.setPosixFilePermissions(own(), PosixFilePermissions.fromString(mode));
        Files.setOwner(own(), user(owner));

        Process other = new ProcessBuilder(
                        "setpriv",
                        "--bounding-set=-dac_override,-dac_read_search",
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        LeasingProcess.class.getName(),
                        "claims",
                        directory.toString(),
                        "0",
                        "1")
                .redirectErrorStream(true)
                .start();

        assertThat(new String(other.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .containsPattern("cannot be read: user 'root' was denied access \\(" + reason + "\\)");
        assertThat(other.waitFor()).isNotZero();
    }

    /** Images of containers set the property, and the JVM sets it to a question mark if the user has no name. */
    @Test
    void ownerIsComparedByTheUserOfTheProcess() {
        String name = System.getProperty("user.name");
        for (String other : new String[] {"shop", "?"}) {
            System.setProperty("user.name", other);
            try {
                assertThat(registry().read().entries()).isEmpty();
            } finally {
                System.setProperty("user.name", name);
            }
        }
    }

    @Test
    void symbolicLinkInPlaceOfTheSubdirectoryIsRejected(@TempDir Path elsewhere) throws Exception {
        Files.createSymbolicLink(own(), elsewhere);

        ConfigurationException rejected = unusable(() -> registry().read());

        assertThat(rejected)
                .hasMessage(
                        "Leases of worker IDs in %1$s cannot be read: not a directory (java.nio.file.FileAlreadyExistsException: %1$s)",
                        own());
        assertThat(rejected.action()).hasValue(ConfigurationException.text(FileExceptionTranslator.ELSEWHERE, ""));
        assertThat(elsewhere).isEmptyDirectory();
    }

    @Test
    void fileInPlaceOfTheSubdirectoryIsRejected() throws Exception {
        Files.createFile(own());

        assertThat(unusable(() -> registry().read()))
                .hasMessage(
                        "Leases of worker IDs in %1$s cannot be read: not a directory (java.nio.file.FileAlreadyExistsException: %1$s)",
                        own());
    }

    private UserPrincipal user(String name) throws IOException {
        return directory.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName(name);
    }

    private static String mode(Path file) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    }

    private static FileDocuments.Hook failAt(Step step, IOException failure) {
        return at -> {
            if (at == step) {
                throw failure;
            }
        };
    }

    // ---- clocks and scarce worker IDs

    // Slow: waits for leases to expire.
    @Tag("full")
    @Test
    void clockSetBackDefersTheExpiryByTheStepOnly() {
        registry().acquire(null, killed(NOW.plusSeconds(30)), TTL);

        clock.set(NOW.minus(Duration.ofHours(1)));
        assertThatThrownBy(() -> generator(Duration.ofSeconds(2)))
                .isInstanceOf(WorkerIdUnavailableException.class)
                .hasMessage("All 1 worker IDs of namespace 'default' are leased; the next lease expires in 3721 s");

        clock.set(NOW.plusSeconds(119));
        assertThatThrownBy(() -> generator(Duration.ofSeconds(2)))
                .isInstanceOf(WorkerIdUnavailableException.class)
                .hasMessage("All 1 worker IDs of namespace 'default' are leased; the next lease expires in 2 s");

        clock.set(NOW.plusSeconds(120));
        try (SnowflakeIdGenerator generator = generator()) {
            assertThat(OF_ONE_WORKER.decode(generator.nextId()).timestamp()).isAfterOrEqualTo(NOW.plusSeconds(30));
        }
    }

    @Test
    void clockSetForwardTakesALeaseOverEarlyBehindItsIds() {
        registry().acquire(null, killed(NOW.plusSeconds(30)), TTL);

        clock.set(NOW.plus(Duration.ofHours(1)));
        try (SnowflakeIdGenerator generator = generator()) {
            assertThat(OF_ONE_WORKER.decode(generator.nextId()).timestamp()).isAfterOrEqualTo(clock.get());
        }
        assertThat(registry().renew(killed(NOW.plusSeconds(30)), NOW.plusSeconds(50), TTL))
                .isFalse();
    }

    @Test
    void restartHasTheSameWorkerIdAndGreaterIdsAlsoWithAClockSetBack() {
        long last;
        try (SnowflakeIdGenerator generator = generator()) {
            last = generator.nextId();
        }
        clock.set(NOW.minus(Duration.ofHours(1)));
        assertThatThrownBy(() -> generator(Duration.ofSeconds(2)))
                .isInstanceOf(WorkerIdUnavailableException.class)
                .hasMessageMatching(
                        "No worker ID of namespace 'default' can be leased \\(leased: 0, free: 1\\): IDs of free ones begin at "
                                + OF_ONE_WORKER.decode(last).timestamp().plus(OF_ONE_WORKER.tick())
                                + ", but this machine's clock is at .*Z; correct the clock if it is behind, or wait until then");
        clock.set(NOW.plusMillis(1));
        try (SnowflakeIdGenerator generator = generator()) {
            assertThat(generator.nextId()).isGreaterThan(last);
        }
    }

    private static Claim killed(Instant reservedUntil) {
        String layout = OF_ONE_WORKER.toString().replaceFirst(" \\(.*", "");
        return Claim.of(0, 0, "killed", "killed, pid 1", Instant.EPOCH, reservedUntil, layout);
    }

    private SnowflakeIdGenerator generator() {
        return generator(Duration.ofSeconds(10));
    }

    private SnowflakeIdGenerator generator(Duration acquireTimeout) {
        InstantSource source = clock::get;
        return SnowflakeIdGenerator.builder()
                .layout(OF_ONE_WORKER)
                .clock(source)
                .lease(LeaseTerms.of(registry()).withTtl(TTL).withAcquireTimeout(acquireTimeout))
                .build();
    }

    private static ConfigurationException unusable(Runnable use) {
        @Nullable Throwable rejected = catchThrowable(use::run);
        assertThat(rejected)
                .isInstanceOf(WorkerIdUnavailableException.class)
                .hasCauseInstanceOf(ConfigurationException.class);
        return (ConfigurationException) rejected.getCause();
    }
}
