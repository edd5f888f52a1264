/**
 * Leases of worker IDs in the API server of Kubernetes. Start with {@code KubernetesDocuments}, the requests for objects
 * of the kind {@code Lease}; {@link io.github.snowflakeid.worker.DocumentRegistry} makes leases of worker IDs of them.
 */
@NullMarked
package io.github.snowflakeid.kubernetes;

import org.jspecify.annotations.NullMarked;
