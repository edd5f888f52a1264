package io.github.snowflakeid.zookeeper;

import static io.github.snowflakeid.worker.WorkerRegistryContract.atOnce;
import static org.apache.zookeeper.ZooDefs.Ids.CREATOR_ALL_ACL;
import static org.apache.zookeeper.ZooDefs.Ids.READ_ACL_UNSAFE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.snowflakeid.LeaseTerms;
import io.github.snowflakeid.SnowflakeIdGenerator;
import io.github.snowflakeid.WorkerIdUnavailableException;
import io.github.snowflakeid.WorkerIdUnavailableException.Reason;
import io.github.snowflakeid.WorkerRegistry.Claim;
import io.github.snowflakeid.WorkerRegistry.Entry;
import io.github.snowflakeid.failure.ConfigurationException;
import io.github.snowflakeid.worker.DocumentRegistry;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.api.transaction.CuratorOp;
import org.apache.curator.test.TestingServer;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The data in ZooKeeper, and the messages of failures. */
class ZooKeeperDocumentsTests {

    private static final Duration TTL = Duration.ofSeconds(60);
    private static final String LAYOUT = "41+5+5+12 bits of 1 ms from 2025-01-01T00:00:00Z";
    private static final Instant SOME_TIME = Instant.parse("2026-11-21T09:30:00.321Z");
    private static final String OTHER_ROOT = """
            Set a path that no other program uses:

            snowflake.worker.zookeeper.root: /snowflake-ids""";

    private static TestingServer server;
    private static int stores;

    private String root;
    private Clients clients;
    private CuratorFramework client;
    private DocumentRegistry registry;

    @BeforeAll
    static void start() throws Exception {
        server = Clients.sharedServer();
    }

    @BeforeEach
    void open() {
        root = "/tests" + stores++;
        clients = new Clients(server.getConnectString());
        client = clients.open();
        registry = ZooKeeperDocuments.registry(client, root, "default");
    }

    @AfterEach
    void close() {
        clients.close();
    }

    private static Claim claim(int workerId, String owner) {
        return Claim.of(3, workerId, owner, "test,\npid 1", Instant.EPOCH, SOME_TIME, LAYOUT);
    }

    private String text(String path) throws Exception {
        return new String(client.getData().forPath(path), StandardCharsets.UTF_8);
    }

    private void put(String path, String text) throws Exception {
        client.create().orSetData().creatingParentsIfNeeded().forPath(path, text.getBytes(StandardCharsets.UTF_8));
    }

    private static void assertThatUnusable(ThrowingCallable call, String message, String action) {
        assertThatExceptionOfType(WorkerIdUnavailableException.class)
                .isThrownBy(call)
                .withMessage(message)
                .satisfies(rejected -> {
                    assertThat(rejected.reason()).isEqualTo(Reason.REGISTRY_UNUSABLE);
                    assertThat(rejected.getCause())
                            .isInstanceOfSatisfying(
                                    ConfigurationException.class,
                                    why -> assertThat(why.action()).hasValue(action));
                });
    }

    @Test
    void keepsAZnodeOfTextForEachWorkerId() throws Exception {
        registry.acquire(null, claim(7, "a"), TTL);
        assertThat(text(root + "/default/3-7"))
                .startsWith("snowflake 1\na\n2026-11-21T09:30:00.321Z\n")
                .endsWith("\n41+5+5+12 bits of 1 ms from 2025-01-01T00:00:00Z\ntest,\npid 1");
        assertThat(registry.read().entries()).extracting(Entry::ownerInfo).containsExactly("test,\npid 1");
        assertThat(client.checkExists().forPath(root + "/default/3-7").getEphemeralOwner())
                .isZero();

        registry.release(claim(7, "a"), SOME_TIME);
        assertThat(text(root + "/default/3-7")).startsWith("snowflake 1\n\n2026-11-21T09:30:00.321Z\n");
    }

    @ParameterizedTest
    @CsvSource({
        "orders, orders",
        "..,%2E%2E",
        "a.b, a%2Eb",
        "a/b, a%2Fb",
        "'a b', a%20b",
        "a%20b, a%2520b",
        "\u96ea, %E9%9B%AA",
        "\uD83D\uDE00, %F0%9F%98%80"
    })
    void namesTheZnodeOfANamespaceAsUrlsDo(String namespace, String name) throws Exception {
        ZooKeeperDocuments.registry(client, root, namespace).read();
        assertThat(client.getChildren().forPath(root)).containsExactly(name);
    }

    @Test
    void worksInTheRootOfTheTreeAndWithExistingZnodes() throws Exception {
        client.create().forPath("/by-hand", new byte[0]);
        DocumentRegistry ofRoot = ZooKeeperDocuments.registry(client, "/", "by-hand");
        assertThat(ofRoot.read().entries()).isEmpty();
        assertThat(ofRoot.acquire(null, claim(7, "a"), TTL)).isTrue();
        assertThat(ofRoot.read().entries()).hasSize(1);
    }

    @Test
    void hasAClientOfItsOwnThatEndsWithTheLease() {
        DocumentRegistry own = ZooKeeperDocuments.registry(server.getConnectString(), root, "default");
        for (int start = 0; start < 2; start++) {
            try (SnowflakeIdGenerator generator =
                    SnowflakeIdGenerator.builder().lease(LeaseTerms.of(own)).build()) {
                assertThat(generator.workerId().workerId()).isZero();
            }
        }
        own.close();
        assertThat(registry.read().entries()).extracting(Entry::owner).containsOnlyNulls();
    }

    @Test
    void readsAllWorkerIdsOfALayoutWithTheLongestTexts() throws Exception {
        registry.read();
        String longest = "snowflake 1\n%s\n%s\n%s\n%s\n%s"
                .formatted("o".repeat(36), SOME_TIME, SOME_TIME, "\u96ea".repeat(100), "\u96ea".repeat(255));
        for (int datacenterId = 0; datacenterId < 32; datacenterId++) {
            List<CuratorOp> creations = new ArrayList<>();
            for (int workerId = 0; workerId < 32; workerId++) {
                creations.add(client.transactionOp()
                        .create()
                        .forPath(
                                root + "/default/" + datacenterId + "-" + workerId,
                                longest.getBytes(StandardCharsets.UTF_8)));
            }
            client.transaction().forOperations(creations);
        }
        assertThat(registry.read().entries()).hasSize(1024);
    }

    @Test
    void leases256WorkerIdsToEightProcessesAtOnce() throws Exception {
        List<DocumentRegistry> processes = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            processes.add(ZooKeeperDocuments.registry(clients.open(), root, "default"));
        }
        List<SnowflakeIdGenerator> generators = atOnce(
                256,
                i -> SnowflakeIdGenerator.builder()
                        .lease(LeaseTerms.of(processes.get(i % 8)).withAcquireTimeout(Duration.ofMinutes(2)))
                        .build());
        Set<Long> ids = new HashSet<>();
        generators.forEach(generator -> ids.add(generator.nextId()));
        assertThat(ids).hasSize(256);
        // Not all at once, since those that wait too long for an answer would give up.
        atOnce(8, i -> {
            for (int j = i; j < 256; j += 8) {
                generators.get(j).close();
            }
            return i;
        });
        assertThat(registry.read().entries()).extracting(Entry::owner).containsOnlyNulls();
    }

    @ParameterizedTest
    @ValueSource(strings = {"lock", "1", "a-b", "1-2-3"})
    void rejectsForeignZnodes(String name) throws Exception {
        put(root + "/default/" + name, "10.0.0.7");

        assertThatUnusable(
                registry::read,
                "Znode %s/default/%s of ZooKeeper at %s is not a lease of a worker ID"
                        .formatted(root, name, server.getConnectString()),
                OTHER_ROOT);
    }

    @Test
    void namesOfZnodesForgeNoLine() throws Exception {
        put(root + "/default/a\u202eb", "");

        assertThatUnusable(
                registry::read,
                "Znode %s/default/a\\u202eb of ZooKeeper at %s is not a lease of a worker ID"
                        .formatted(root, server.getConnectString()),
                OTHER_ROOT);
    }

    @Test
    void rejectsAnotherFormat() throws Exception {
        put(root + "/default/3-7", "snowflake 2\na");
        String message = "Znode %s/default/3-7 of ZooKeeper at %s is not a lease of a worker ID"
                .formatted(root, server.getConnectString());
        assertThatUnusable(registry::read, message, OTHER_ROOT);
        assertThatUnusable(() -> registry.acquire(null, claim(7, "a"), TTL), message, OTHER_ROOT);
        assertThatUnusable(() -> registry.renew(claim(7, "a"), SOME_TIME, TTL), message, OTHER_ROOT);
    }

    @Test
    void reportsWhichPermissionsAreMissing() throws Exception {
        String howTo = """
                Grant the permission in zkCli.sh. Replace world:anyone with the user of this client:

                create %1$s
                setAcl -R %1$s world:anyone:cdrwa""".formatted(root);
        client.create().withACL(READ_ACL_UNSAFE).forPath(root);
        assertThatUnusable(
                registry::read,
                "Worker IDs in %s/default of ZooKeeper at %s were not read: this client lacks the permission to create, read and write there"
                        .formatted(root, server.getConnectString()),
                howTo);
        assertThatUnusable(
                () -> registry.acquire(null, claim(7, "a"), TTL),
                "Worker IDs in %s/default of ZooKeeper at %s were not read: this client lacks the permission to create, read and write there"
                        .formatted(root, server.getConnectString()),
                howTo);
    }

    @Test
    void namesPathsAsAClientInTheRootSeesThem() throws Exception {
        client.create().creatingParentsIfNeeded().forPath(root + "/apps");
        client.create().withACL(READ_ACL_UNSAFE).forPath(root + "/apps/shop");
        CuratorFramework inside =
                clients.open(Clients.builder(server.getConnectString() + root).namespace("apps"));
        assertThatUnusable(
                ZooKeeperDocuments.registry(inside, "/shop/ids", "default")::read,
                "Worker IDs in %s/apps/shop/ids/default of ZooKeeper at %s were not read: this client lacks the permission to create, read and write there"
                        .formatted(root, server.getConnectString()),
                """
                Grant the permission in zkCli.sh. Replace world:anyone with the user of this client:

                create %1$s
                create %1$s/apps
                create %1$s/apps/shop
                create %1$s/apps/shop/ids
                setAcl -R %1$s/apps/shop/ids world:anyone:cdrwa""".formatted(root));
    }

    @Test
    void reportsThatALoginIsRejected() {
        assertThatUnusable(
                () -> {
                    throw new ZooKeeperExceptionTranslator(client, "/snowflake/default")
                            .translate(KeeperException.create(Code.AUTHFAILED), "read");
                },
                "ZooKeeper at %s rejects the login (AUTHFAILED)".formatted(server.getConnectString()),
                """
                Declare a CuratorFramework bean that logs in, for example with

                CuratorFrameworkFactory.builder().authorization("digest", "user:password".getBytes())""");
    }

    @Test
    void reportsZnodesThatAnotherUserHasCreated() throws Exception {
        CuratorFramework other = clients.open(Clients.builder(server.getConnectString())
                .authorization("digest", "shop:secret".getBytes(StandardCharsets.UTF_8)));
        other.create().creatingParentsIfNeeded().withACL(CREATOR_ALL_ACL).forPath(root + "/default", new byte[0]);
        assertThat(ZooKeeperDocuments.registry(other, root, "default").read().entries())
                .isEmpty();
        assertThatExceptionOfType(WorkerIdUnavailableException.class)
                .isThrownBy(registry::read)
                .withMessageEndingWith(
                        "were not read: this client lacks the permission to create, read and write there");
    }

    @Test
    void reportsThatTheRootOfTheConnectStringIsMissing() {
        try (DocumentRegistry lost =
                ZooKeeperDocuments.registry(server.getConnectString() + "/absent/shop", root, "default")) {
            assertThatUnusable(
                    lost::read,
                    "ZooKeeper at %s has no znode /absent/shop, which is the root path in the connect string"
                            .formatted(server.getConnectString()),
                    """
                    Create it in zkCli.sh:

                    create /absent
                    create /absent/shop""");
        }
    }

    @Test
    void reportsThatAClientIsNotStartedOrClosed() {
        String action = """
                Start it before the generator, which leases a worker ID, and close it after the generator, which releases the worker ID:

                @Bean(initMethod = "start", destroyMethod = "close")

                or give leases a dedicated client:

                snowflake.worker.zookeeper.connect-string: localhost:2181""";
        CuratorFramework latent = Clients.builder(server.getConnectString()).build();
        assertThatUnusable(
                ZooKeeperDocuments.registry(latent, root, "default")::read,
                "Worker IDs cannot be leased in ZooKeeper: the state of the CuratorFramework is LATENT",
                action);
        client.close();
        assertThatUnusable(
                registry::read,
                "Worker IDs cannot be leased in ZooKeeper: the state of the CuratorFramework is STOPPED",
                action);
    }

    @Test
    void timesOutIfTheServerDoesNotAnswer() {
        try (DocumentRegistry away = ZooKeeperDocuments.registry("localhost:1", root, "default")) {
            assertThatExceptionOfType(ConfigurationException.class)
                    .isThrownBy(away::read)
                    .withMessageStartingWith("ZooKeeper at localhost:1 did not answer (")
                    .satisfies(why -> assertThat(why.action()).hasValue("""
                                    Start its servers, or set their addresses:

                                    snowflake.worker.zookeeper.connect-string: localhost:2181"""));
        }
    }

    @Test
    void namespaceMustHaveAName() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ZooKeeperDocuments.registry(client, "/snowflake", " "))
                .withMessage("namespace must have 1 to 100 characters, but was ' '");
    }
}
