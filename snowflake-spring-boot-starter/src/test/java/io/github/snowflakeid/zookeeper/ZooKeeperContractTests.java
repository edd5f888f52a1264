package io.github.snowflakeid.zookeeper;

import static org.apache.zookeeper.ZooDefs.Ids.CREATOR_ALL_ACL;

import io.github.snowflakeid.WorkerRegistry;
import io.github.snowflakeid.worker.WorkerRegistryContract;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.api.ACLProvider;
import org.apache.zookeeper.data.ACL;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;

/**
 * The contract of registries, on a real server. Each registry has a separate session. The system property {@code
 * test.zookeeper.connect-string} names a server that is already running.
 */
class ZooKeeperContractTests {

    /** The start of all paths, so that they can be deleted afterwards: the server may be the user's. */
    private static final String PREFIX = "snowflake-contract-" + UUID.randomUUID();

    private static final String APPS = "/" + PREFIX + "-apps";
    private static final byte[] LOGIN = "shop:secret".getBytes(StandardCharsets.UTF_8);

    private static String connectString;
    private static int stores;

    @BeforeAll
    static void start() throws Exception {
        String named = System.getProperty("test.zookeeper.connect-string");
        connectString = named == null ? Clients.sharedServer().getConnectString() : named;
        try (CuratorFramework client = Clients.builder(connectString).build()) {
            client.start();
            client.create().forPath(APPS);
        }
    }

    @AfterAll
    static void delete() throws Exception {
        try (CuratorFramework client =
                Clients.builder(connectString).authorization("digest", LOGIN).build()) {
            client.start();
            for (String child : client.getChildren().forPath("/")) {
                if (child.startsWith(PREFIX)) {
                    client.delete().deletingChildrenIfNeeded().forPath("/" + child);
                }
            }
        }
    }

    @Nested
    class InTheRootOfAServer extends Contract {

        @Override
        CuratorFrameworkFactory.Builder client(String store) {
            return Clients.builder(connectString);
        }
    }

    @Nested
    class BelowAPathWithNamespaceAndPermissionsOfTheClient extends Contract {

        @Override
        CuratorFrameworkFactory.Builder client(String store) {
            return Clients.builder(connectString + APPS)
                    .namespace("shop" + store)
                    .authorization("digest", LOGIN)
                    .aclProvider(new OnlyTheCreator());
        }
    }

    private record OnlyTheCreator() implements ACLProvider {

        @Override
        public List<ACL> getDefaultAcl() {
            return CREATOR_ALL_ACL;
        }

        @Override
        public List<ACL> getAclForPath(String path) {
            return CREATOR_ALL_ACL;
        }
    }

    private abstract static class Contract extends WorkerRegistryContract {

        private String store;
        private Clients clients;

        abstract CuratorFrameworkFactory.Builder client(String store);

        @Override
        protected void openEmptyStore() {
            store = "/" + PREFIX + "-" + stores++;
            clients = new Clients(connectString);
        }

        @Override
        protected WorkerRegistry registry(String namespace) {
            CuratorFramework client = clients.open(client(store));
            return ZooKeeperDocuments.registry(client, store, namespace);
        }

        @Override
        protected void closeStore() {
            clients.close();
        }
    }
}
