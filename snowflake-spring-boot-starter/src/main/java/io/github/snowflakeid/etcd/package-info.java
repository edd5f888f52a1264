/**
 * Leases of worker IDs in etcd. Start with {@code EtcdDocuments}, the requests to etcd's JSON gateway; {@link
 * io.github.snowflakeid.worker.DocumentRegistry} makes leases of them.
 */
@NullMarked
package io.github.snowflakeid.etcd;

import org.jspecify.annotations.NullMarked;
