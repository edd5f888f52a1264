package io.github.snowflakeid.kubernetes;

import io.github.snowflakeid.WorkerRegistry;
import io.github.snowflakeid.worker.WorkerRegistryContract;
import org.junit.jupiter.api.Tag;

/** The contract of registries on a real API server, with the permissions that the documentation names. */
@Tag("servers")
class KubernetesContractTests extends WorkerRegistryContract {

    private String cluster;
    private String token;

    @Override
    protected void openEmptyStore() {
        KubernetesServer server = KubernetesServer.shared();
        cluster = server.newNamespace();
        server.permit(cluster, "get, list, create, update");
        token = server.token(cluster);
    }

    @Override
    protected WorkerRegistry registry(String namespace) {
        KubernetesServer server = KubernetesServer.shared();
        return KubernetesServer.registry(
                server.url(), server.certificate(), () -> token, cluster, namespace, KubernetesServer.USUAL_LIMIT);
    }

    @Override
    protected void closeStore() {}
}
