package io.github.snowflakeid.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.github.snowflakeid.IdLayout;
import io.github.snowflakeid.SnowflakeIdGenerator;
import io.github.snowflakeid.WorkerIdUnavailableException;
import io.github.snowflakeid.file.LeaseFile.Step;
import io.github.snowflakeid.internal.failure.ConfigurationException;
import io.github.snowflakeid.worker.LeaseTerms;
import io.github.snowflakeid.worker.WorkerRegistry.Claim;
import io.github.snowflakeid.worker.WorkerRegistry.Entry;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class FileWorkerRegistryTests {

    private static final Duration TTL = Duration.ofSeconds(60);
    private static final Instant NOW = Instant.parse("2026-11-21T09:30:00.321Z");
    private static final IdLayout OF_ONE_WORKER =
            IdLayout.builder().datacenterBits(0).workerBits(0).build();

    @TempDir
    private Path directory;

    private final AtomicReference<Instant> clock = new AtomicReference<>(NOW);

    private FileWorkerRegistry registry() {
        return registry("default");
    }

    private FileWorkerRegistry registry(String namespace) {
        return registry(namespace, step -> {});
    }

    private FileWorkerRegistry registry(String namespace, LeaseFile.Hook hook) {
        return new FileWorkerRegistry(directory, namespace, clock::get, LeasingProcess.setup(hook));
    }

    private Path file(String ending) {
        return own().resolve("snowflake-default" + ending);
    }

    private Path own() {
        return directory.resolve("snowflake");
    }

    private static Claim claim(int workerId, String owner) {
        return new Claim(3, workerId, owner, "shop, pid 1", Instant.EPOCH, NOW.plusSeconds(30), "layout");
    }

    // ---- contents of the file

    @Test
    void fileIsTextThatPeopleCanRead() throws Exception {
        registry().acquire(null, claim(7, "a"), TTL);
        registry().acquire(null, claim(6, "b\t\n\\\u96ea"), TTL);
        registry().release(claim(6, "b\t\n\\\u96ea"), NOW);

        assertThat(file(".leases")).hasContent("""
                snowflake worker ids, version 2
                namespace	default
                3	6	\\-	2026-11-21T09:30:00.321Z	2026-11-21T09:30:00.321Z	layout	shop, pid 1
                3	7	a	2026-11-21T09:30:30.321Z	2026-11-21T09:31:00.321Z	layout	shop, pid 1
                end
                """);
    }

    @Test
    void whatCannotStandInALineIsReadAsItWasWritten() {
        String odd = "\t\r\n\\\\-\u0000\u2028\ud83d\ude00\ud83d \\u00";
        registry(odd).acquire(null, new Claim(0, 0, odd, "\\-", Instant.EPOCH, NOW, odd), TTL);

        assertThat(registry(odd).read().entries())
                .containsExactly(new Entry(0, 0, odd, "\\-", NOW, NOW.plus(TTL), odd));
    }

    @Test
    void namesOfFilesDifferAsNamespacesDo() {
        assertThat(Stream.of(
                                "orders",
                                "Orders",
                                "orders ",
                                "n".repeat(60),
                                "n".repeat(61),
                                "\u96ea",
                                "\ud83d",
                                "?",
                                "../x",
                                "con")
                        .map(LeaseFile::nameOf))
                .containsExactly(
                        "snowflake-orders",
                        "snowflake-_rders.7a9f2bbb4c2c7df3",
                        "snowflake-orders_.4357a80d2de79bb4",
                        "snowflake-" + "n".repeat(60),
                        "snowflake-" + "n".repeat(60) + ".d71447a62489f9c1",
                        "snowflake-_.b75a2051f0528179",
                        "snowflake-_.e37ebf9386af5368",
                        "snowflake-_.0cd65a74756f9fd4",
                        "snowflake-___x.293b816a95d0d827",
                        "snowflake-con");
    }

    @Test
    void directoryIsCreatedWithThoseAboveIt() {
        Path deep = directory.resolve("a/b/c");

        new FileWorkerRegistry(deep, "default", clock::get, LeaseFile.Setup.UNCHECKED)
                .acquire(null, claim(7, "a"), TTL);

        assertThat(deep.resolve("snowflake")).isDirectoryContaining("glob:**snowflake-default.leases");
    }

    @Test
    void nothingIsTouchedBeforeTheFirstUse() {
        FileWorkerRegistry registry = new FileWorkerRegistry(directory.resolve("store"), "default");

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
        assertThatThrownBy(() -> new FileWorkerRegistry(Path.of("ids"), "default"))
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
        FileWorkerRegistry crashing = registry("default", at -> {
            if (at == step && crashes[0]) {
                throw new InternalError("power failure");
            }
        });
        assertThat(catchThrowable(() -> crashing.acquire(null, claim(8, "b"), TTL)))
                .isInstanceOf(InternalError.class);

        boolean isNew = step.compareTo(Step.MOVED) >= 0;
        assertThat(registry().read().entries())
                .extracting(Entry::owner)
                .containsExactly(isNew ? new String[] {"a", "b"} : new String[] {"a"});
        assertThat(registry().acquire(null, claim(8, "c"), TTL)).isEqualTo(!isNew);
        crashes[0] = false;
        assertThat(crashing.acquire(null, claim(9, "d"), TTL)).isTrue();
        assertThat(own()).isDirectoryNotContaining("glob:**.tmp");
    }

    @Test
    void temporaryFileThatACrashLeftIsReplaced() throws Exception {
        Files.createDirectory(own());
        Files.writeString(file(".tmp"), "half of a");

        registry().acquire(null, claim(7, "a"), TTL);

        assertThat(registry().read().entries()).hasSize(1);
        assertThat(file(".tmp")).doesNotExist();
    }

    @Test
    void eachByteThatIsMissingIsNoticed() throws Exception {
        registry().acquire(null, claim(7, "a"), TTL);
        byte[] whole = Files.readAllBytes(file(".leases"));
        for (int length = 0; length < whole.length; length++) {
            Files.write(file(".leases"), java.util.Arrays.copyOf(whole, length));
            assertThatThrownBy(() -> registry().read()).isInstanceOf(WorkerIdUnavailableException.class);
        }
        Files.write(file(".leases"), whole);
        assertThat(registry().read().entries()).hasSize(1);
    }

    // ---- damaged and foreign files

    @ParameterizedTest
    @MethodSource
    void foreignFileIsRejectedAndLeftAlone(Map.Entry<String, String> foreign) throws Exception {
        Files.createDirectory(own());
        Files.writeString(file(".leases"), foreign.getKey());

        for (Runnable use :
                new Runnable[] {() -> registry().read(), () -> registry().acquire(null, claim(7, "a"), TTL)}) {
            assertThat(unusable(use))
                    .hasMessage(
                            "File %s cannot be used for leases of worker IDs: it %s",
                            file(".leases"), foreign.getValue())
                    .extracting(rejected -> rejected.action().orElseThrow())
                    .isEqualTo("""
                            Restore the file. If that is impossible, stop all processes that lease there, wait until the clock is past the \
                            timestamp of the last ID, and delete the files:

                            rm '%s' '%s'""".formatted(file(".leases"), file(".lock")));
        }
        assertThat(file(".leases")).hasContent(foreign.getKey());
    }

    /** The file names of the namespaces "sHop" and "s_op" begin alike. */
    @Test
    void beginningAnewLeavesOtherNamespacesAlone(@TempDir Path parent) throws Exception {
        Path spaced = Files.createDirectory(parent.resolve("of the shop"));
        FileWorkerRegistry other = new FileWorkerRegistry(spaced, "sHop").withoutFileSystemCheck();
        FileWorkerRegistry broken = new FileWorkerRegistry(spaced, "s_op").withoutFileSystemCheck();
        assertThat(other.acquire(null, claim(7, "a"), TTL)).isTrue();
        assertThat(broken.acquire(null, claim(7, "b"), TTL)).isTrue();
        Files.writeString(spaced.resolve("snowflake/snowflake-s_op.leases"), "7");

        String advice = unusable(broken::read).action().orElseThrow();
        String command = advice.substring(advice.lastIndexOf('\n') + 1);
        assertThat(new ProcessBuilder("sh", "-c", command).start().waitFor()).isZero();

        assertThat(broken.read().entries()).isEmpty();
        assertThat(other.read().entries()).hasSize(1);
    }

    private static final String DIFFERS = "is truncated, was changed by hand, or belongs to another namespace";

    private static final String TWO_LEASES_OF_ONE_WORKER_ID = """
            snowflake worker ids, version 2
            namespace	default
            3	7	a	2026-11-21T09:30:30.321Z	2026-11-21T09:31:00.321Z	layout	shop, pid 1
            3	7	b	2026-11-21T09:30:40.321Z	2026-11-21T09:31:00.321Z	layout	shop, pid 2
            end
            """;

    static Stream<Map.Entry<String, String>> foreignFileIsRejectedAndLeftAlone() {
        return Map.of(
                "",
                "is empty",
                "7",
                "was not written by this library",
                "snowflake worker ids, version 3\u001b[2J\nnew",
                "has version '3\\u001b[2J', but this library reads version 2",
                "snowflake worker ids, version 1\nnamespace",
                "has version '1', but this library reads version 2",
                "snowflake worker ids, version 2\n",
                DIFFERS,
                LeaseText.of("other", List.of()),
                DIFFERS,
                TWO_LEASES_OF_ONE_WORKER_ID,
                DIFFERS,
                LeaseText.of("default", List.of()).replace("end", "3\t7\ta\nend"),
                "has a line that is not a lease: 3\\u00097\\u0009a")
                .entrySet()
                .stream();
    }

    @Test
    void deletedFileIsNotTakenForAnEmptyOne() throws Exception {
        registry().acquire(null, claim(7, "a"), TTL);
        registry().renew(claim(7, "a"), NOW, TTL);
        Files.delete(file(".leases"));

        for (Runnable use :
                new Runnable[] {() -> registry().read(), () -> registry().acquire(null, claim(7, "a"), TTL)}) {
            assertThat(unusable(use))
                    .hasMessage(
                            "File %s cannot be used for leases of worker IDs: it is missing, but existed before",
                            file(".leases"));
        }
        Files.delete(file(".lock"));
        assertThat(registry().read().entries()).isEmpty();
    }

    @Test
    void lockFileThatIsDeletedMeanwhileKeepsOthersOutNoLongerSoNothingIsWritten() throws Exception {
        FileWorkerRegistry cleaned = registry("default", at -> {
            if (at == Step.WRITTEN) {
                Files.delete(file(".lock"));
            }
        });

        assertThatThrownBy(() -> cleaned.acquire(null, claim(7, "a"), TTL))
                .isInstanceOf(ConfigurationException.class)
                .hasMessage("File %s was deleted while it was locked; nothing was written", file(".lock"));

        assertThat(registry().acquire(null, claim(8, "b"), TTL)).isTrue();
        Files.delete(file(".lock"));
        assertThat(registry().acquire(null, claim(9, "c"), TTL)).isTrue();
        assertThat(registry().read().entries()).extracting(Entry::owner).containsExactly("b", "c");
    }

    // ---- failures of the disk

    @Test
    void fullDiskIsAnErrorThatMayPass() {
        FileWorkerRegistry full = registry("default", failAt(Step.WRITTEN, new IOException("No space left on device")));

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
        assertThat(own()).isDirectoryNotContaining("glob:**.tmp");
        assertThat(registry().read().entries()).isEmpty();
    }

    @Test
    void diskThatIsReadOnlyIsRejected() {
        IOException failure = new FileSystemException(file(".tmp").toString(), null, "Read-only file system");

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
        LeaseFile.Hook denied = at -> {
            // As if another user had restored the file. This test runs as root, which has access to everything.
            Files.setOwner(file(".lock"), nobody());
            throw new AccessDeniedException(file(".lock").toString());
        };

        ConfigurationException rejected =
                unusable(() -> registry("default", denied).acquire(null, claim(7, "a"), TTL));

        assertThat(rejected)
                .hasMessage(
                        "Leases of worker IDs in %s cannot be written: user '%s' was denied access to %s",
                        own(), user, file(".lock"));
        assertThat(rejected.action()).hasValue("""
                Run all processes as one user, and give the directory to that user:

                sudo chown -R %s %s
                sudo chmod -R u=rwX,go= %s

                If owner and mode are right, a security policy such as SELinux denies the access. On SELinux, mount a volume of a \
                container with the option 'z', or label the directory again:

                sudo restorecon -R %s""".formatted(user, own(), own(), own()));
    }

    @Test
    void whatFailsBehindTheMoveMayBeWritten() {
        FileWorkerRegistry registry = registry("default", failAt(Step.MOVED, new IOException("Input/output error")));

        assertThatThrownBy(() -> registry.acquire(null, claim(7, "a"), TTL))
                .isInstanceOf(ConfigurationException.class)
                .hasMessage("Leases of worker IDs in %s may or may not have been written: Input/output error", own());
    }

    @Test
    void fileInPlaceOfADirectoryIsRejected() throws Exception {
        Path taken = Files.createFile(directory.resolve("taken"));
        for (Path place : new Path[] {taken, taken.resolve("store")}) {
            ConfigurationException rejected = unusable(() -> new FileWorkerRegistry(place, "default").read());

            assertThat(rejected).hasMessage("%s is not a directory", taken);
            assertThat(rejected.action()).hasValue("""
                    Choose a directory on a disk of this machine, for example:

                    snowflake.worker.file.directory: /var/lib/snowflake""");
        }
    }

    @Test
    void directoryThatVanishesIsNotCreatedAgain() throws Exception {
        FileWorkerRegistry registry =
                new FileWorkerRegistry(directory.resolve("store"), "default", clock::get, LeaseFile.Setup.UNCHECKED);
        registry.acquire(null, claim(7, "a"), TTL);
        org.springframework.util.FileSystemUtils.deleteRecursively(directory.resolve("store"));

        ConfigurationException rejected = unusable(() -> registry.acquire(null, claim(8, "b"), TTL));

        assertThat(rejected)
                .hasMessage(
                        "Leases of worker IDs in %s cannot be written: the directory no longer exists",
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
        assertThat(mode(file(".lock"))).isEqualTo("rw-------");
        assertThat(mode(file(".leases"))).isEqualTo("rw-------");
        assertThat(own())
                .isDirectoryNotContaining(file -> !file.equals(file(".lock")) && !file.equals(file(".leases")));
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
                        file(".lock").toString())
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
        String user = System.getProperty("user.name");
        assumeThat(user).isEqualTo("root");
        Files.createDirectory(own());
        Files.setOwner(own(), nobody());

        ConfigurationException rejected = unusable(() -> registry().read());

        assertThat(rejected)
                .hasMessage(
                        "No worker ID is leased in %s: the directory must belong to user 'root' with mode rwx------, but belongs to user 'nobody' with mode %s. Any user who can read its files can lock them and thereby stop ID generation",
                        own(), mode(own()));
        assertThat(rejected.action()).hasValue("""
                Run all processes as one user, and give the directory to that user:

                sudo chown -R root %s
                sudo chmod -R u=rwX,go= %s""".formatted(own(), own()));
        assertThat(own()).isEmptyDirectory();
    }

    @Test
    void symbolicLinkInPlaceOfTheSubdirectoryIsRejected(@TempDir Path elsewhere) throws Exception {
        Files.createSymbolicLink(own(), elsewhere);

        ConfigurationException rejected = unusable(() -> registry().read());

        assertThat(rejected).hasMessage("%s is a symbolic link, not a directory", own());
        assertThat(rejected.action()).hasValue(ConfigurationException.text(FileExceptionTranslator.ELSEWHERE, ""));
        assertThat(elsewhere).isEmptyDirectory();
    }

    @Test
    void fileInPlaceOfTheSubdirectoryIsRejected() throws Exception {
        Files.createFile(own());

        assertThat(unusable(() -> registry().read())).hasMessage("%s is not a directory", own());
    }

    private UserPrincipal nobody() throws IOException {
        return directory.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("nobody");
    }

    private static String mode(Path file) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    }

    private static LeaseFile.Hook failAt(Step step, IOException failure) {
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
        return new Claim(0, 0, "killed", "killed, pid 1", Instant.EPOCH, reservedUntil, layout);
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
