package io.github.snowflakeid.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.snowflakeid.IdGenerator;
import io.github.snowflakeid.SnowflakeIdGenerator;
import io.github.snowflakeid.WorkerRegistry.Entry;
import io.github.snowflakeid.file.FileDocuments;
import io.github.snowflakeid.file.SnowflakeFileAutoConfiguration;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

class FileStrategyTests {

    private static final String SET_WORKER_ID = """
            Give each process that runs at the same time a different worker ID from 0 to %s. Take it from an environment variable \
            whose value differs from process to process, such as the index of a pod in a Kubernetes StatefulSet:

            snowflake.worker.strategy: fixed
            snowflake.worker.id: ${WORKER_ID}""";

    private final ApplicationContextRunner plain = new ApplicationContextRunner()
            .withConfiguration(
                    AutoConfigurations.of(SnowflakeAutoConfiguration.class, SnowflakeFileAutoConfiguration.class));

    @TempDir
    private Path directory;

    private ApplicationContextRunner asked;
    private ApplicationContextRunner leasing;

    @BeforeEach
    void configure() {
        // A temporary directory may be on a file system in memory.
        asked = plain.withPropertyValues(
                "snowflake.worker.strategy=file", "snowflake.worker.file.verify-file-system=false");
        leasing = asked.withPropertyValues("snowflake.worker.file.directory=" + directory, "snowflake.datacenter.id=3");
    }

    private List<Entry> entries(String namespace) {
        return FileDocuments.registry(directory, namespace, false).read().entries();
    }

    @Test
    void leasesInTheDirectoryAndReleasesAtShutdown() {
        leasing.run(context -> {
            SnowflakeIdGenerator generator = context.getBean(SnowflakeIdGenerator.class);

            assertThat(generator.workerId().origin()).isEqualTo("leased, namespace 'default'");
            assertThat(generator.workerId().datacenterId()).isEqualTo(3);
            assertThat(entries("default"))
                    .singleElement()
                    .extracting(Entry::owner)
                    .isNotNull();
        });
        assertThat(entries("default")).singleElement().extracting(Entry::owner).isNull();
    }

    @Test
    void namedGeneratorsLeaseInNamespacesOfTheirOwn() {
        leasing.withPropertyValues("snowflake.generators.orders.layout=default").run(context -> {
            assertThat(context.getBeansOfType(IdGenerator.class)).hasSize(2);
            assertThat(entries("orders"))
                    .singleElement()
                    .extracting(Entry::datacenterId)
                    .isEqualTo(3);
        });
    }

    /** Without a datacenter ID, the IDs of all machines would have datacenter ID 0. */
    @Test
    void inheritedDatacenterIdIsNoneIfTheLayoutHasNone() {
        leasing.withPropertyValues("snowflake.generators.orders.layout=leaf").run(context -> {
            assertThat(context).hasFailed();
            assertThat(ActionAssertions.analysis(context.getStartupFailure()).getDescription())
                    .isEqualTo(
                            "Property 'snowflake.generators.orders.worker.strategy' is 'file', which requires a different datacenter ID on each machine, but 'snowflake.generators.orders.datacenter.id' is not set.");
        });
    }

    @Test
    void oneGeneratorLeasesInADirectoryWhileAnotherDoesNot() {
        plain.withPropertyValues(
                        "snowflake.worker.id=7",
                        "snowflake.datacenter.id=3",
                        "snowflake.generators.orders.worker.strategy=file",
                        "snowflake.generators.orders.worker.file.verify-file-system=false",
                        "snowflake.generators.orders.worker.file.directory=" + directory)
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(entries("orders")).hasSize(1);
                    assertThat(directory.resolve("snowflake")).isDirectoryNotContaining("glob:**default*");
                });
    }

    @Test
    void asksForTheDirectoryAndForTheDatacenterId() {
        ActionAssertions.assertThatFailure(
                asked,
                "Property 'snowflake.worker.strategy' is 'file', which requires a different datacenter ID on each machine, but 'snowflake.datacenter.id' is"
                        + " not set.",
                """
                Give each machine a different datacenter ID from 0 to 31, through an environment variable, and all its processes the same \
                directory on its disk:

                snowflake.datacenter.id: ${DATACENTER_ID}
                snowflake.worker.file.directory: /var/lib/snowflake""");
        ActionAssertions.assertThatFailure(
                asked.withPropertyValues("snowflake.datacenter.id=3"),
                "Property 'snowflake.worker.strategy' is 'file', but 'snowflake.worker.file.directory' is not set.",
                """
                Choose a directory on a disk of this machine, for example:

                snowflake.worker.file.directory: /var/lib/snowflake""");
    }

    @Test
    void layoutWithoutDatacenterIdsIsForOneMachine() {
        ApplicationContextRunner withoutDatacenter = asked.withPropertyValues(
                "snowflake.layout=javascript-safe", "snowflake.worker.file.directory=" + directory);

        ActionAssertions.assertThatFailure(
                withoutDatacenter,
                "Property 'snowflake.worker.strategy' is 'file', which requires a different datacenter ID on each machine, but 'snowflake.datacenter.id' is"
                        + " not set.",
                """
                IDs of this layout have no datacenter ID that distinguishes machines. If a single machine generates all IDs, confirm it:

                snowflake.datacenter.id: 0

                Otherwise, use fixed worker IDs.\s""" + SET_WORKER_ID.formatted(31));
    }

    @Test
    void pathMustBeAbsolute() {
        ActionAssertions.assertThatFailure(
                leasing.withPropertyValues("snowflake.worker.file.directory=ids"),
                "Invalid 'snowflake.worker.file.directory': directory must be an absolute path, but was 'ids'.",
                """
                Set a valid value, for example:

                snowflake.worker.file.directory: /var/lib/snowflake""");
    }

    @Test
    void namespaceMustHaveAName() {
        ActionAssertions.assertThatFailure(
                leasing.withPropertyValues("snowflake.worker.lease.namespace=" + "n".repeat(101)),
                "Property 'snowflake.worker.lease.namespace' must have 1 to 100 characters, but was '%s'."
                        .formatted("n".repeat(101)),
                """
                Set a valid value, for example:

                snowflake.worker.lease.namespace: default""");
    }

    @Test
    void whatIsFoundAtTheFirstUseIsReportedWithAdvice() throws Exception {
        Path taken = Files.createFile(directory.resolve("taken"));

        ActionAssertions.assertThatFailure(
                leasing.withPropertyValues("snowflake.worker.file.directory=" + taken),
                "Leases of worker IDs in %1$s/snowflake cannot be read: not a directory (java.nio.file.FileAlreadyExistsException: %1$s)."
                        .formatted(taken),
                """
                Choose a directory on a disk of this machine, for example:

                snowflake.worker.file.directory: /var/lib/snowflake""");
    }
}
