/**
 * Leases of worker IDs in Consul. Start with {@code ConsulDocuments}, the requests to Consul's key-value store; {@link
 * io.github.snowflakeid.worker.DocumentRegistry} makes leases of them.
 */
@NullMarked
package io.github.snowflakeid.consul;

import org.jspecify.annotations.NullMarked;
