package io.github.snowflakeid.kubernetes;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * The properties of leases in Kubernetes. A pod needs none of them.
 *
 * @param url URL of the API server for a process outside of a pod. A pod uses its cluster and its service account.
 * @param namespace Namespace of the cluster that keeps the leases. By default the pod's.
 * @param token Token of a service account, instead of a file.
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
