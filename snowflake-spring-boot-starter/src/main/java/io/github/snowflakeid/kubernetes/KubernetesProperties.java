package io.github.snowflakeid.kubernetes;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * The properties of leases in Kubernetes. A pod needs none of them.
 *
 * @param url URL of the API server, for a process outside of a pod. By default the API server of the pod's cluster, with
 *     the token and the CA of the pod's service account.
 * @param namespace Namespace of the cluster that keeps the leases. By default the namespace of the pod.
 * @param token Token of a service account. It has precedence over "token-file".
 * @param tokenFile File with the token of a service account. It is read for each call.
 * @param sslBundle SSL bundle for an API server with "https".
 */
@ConfigurationProperties("snowflake.worker.kubernetes")
record KubernetesProperties(
        @Nullable String url,
        @Nullable String namespace,
        @Nullable String token,
        @Nullable String tokenFile,
        @Nullable String sslBundle) {}
