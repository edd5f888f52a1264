package io.github.snowflakeid.zookeeper;

import static org.apache.zookeeper.ZooDefs.Ids.CREATOR_ALL_ACL;

import io.github.snowflakeid.worker.WorkerRegistry;
import io.github.snowflakeid.worker.WorkerRegistryContract;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.api.ACLProvider;
import org.apache.curator.test.TestingServer;
import org.apache.zookeeper.data.ACL;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;

/** The contract of registries, on a real server. Each registry has a separate session. */
class ZooKeeperWorkerRegistryContractTests {

    private static TestingServer server;
    private static int stores;

    @BeforeAll
    static void start() throws Exception {
        server = Clients.sharedServer();
        try (CuratorFramework client =
                Clients.builder(server.getConnectString()).build()) {
            client.start();
            client.create().forPath("/apps");
        }
    }

    @Nested
    class InTheRootOfAServer extends Contract {

        @Override
        CuratorFrameworkFactory.Builder client(String store) {
            return Clients.builder(server.getConnectString());
        }
    }

    @Nested
    class BelowAPathWithNamespaceAndPermissionsOfTheClient extends Contract {

        @Override
        CuratorFrameworkFactory.Builder client(String store) {
            return Clients.builder(server.getConnectString() + "/apps")
                    .namespace("shop" + store)
                    .authorization("digest", "shop:secret".getBytes(StandardCharsets.UTF_8))
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
            store = "/store" + stores++;
            clients = new Clients(server.getConnectString());
        }

        @Override
        protected WorkerRegistry registry(String namespace) {
            CuratorFramework client = clients.open(client(store));
            return new ZooKeeperWorkerRegistry(client, store, namespace);
        }

        @Override
        protected void closeStore() {
            clients.close();
        }
    }
}
