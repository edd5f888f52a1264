package io.github.snowflakeid.autoconfigure;

import io.github.snowflakeid.worker.WorkerLease;
import io.github.snowflakeid.worker.WorkerLease.State;
import java.util.function.Consumer;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/** Tells of what happens to a lease after the start. Called by one thread at a time. */
final class LeaseLog implements Consumer<WorkerLease> {

    private static final Log LOG = LogFactory.getLog(SnowflakeAutoConfiguration.class);

    private volatile @Nullable State before;

    @Override
    public void accept(WorkerLease lease) {
        String worker = "worker id %d, datacenter id %d".formatted(lease.workerId(), lease.datacenterId());
        boolean first = before == null;
        before = lease.state();
        switch (lease.state()) {
            case HELD -> {
                if (!first) {
                    LOG.info("Lease of %s is held; ids may be made up to %s".formatted(worker, lease.fence()));
                }
            }
            case EXPIRING ->
                LOG.warn("Lease of %s was not renewed (%s); ids are made up to %s, and it is tried again"
                        .formatted(worker, lease.reason(), lease.fence()));
            case LOST ->
                LOG.warn("Lease of %s is lost: %s; no ids are made until another worker id is leased"
                        .formatted(worker, lease.reason()));
            case CLOSED ->
                LOG.info("Lease of %s has ended: %s"
                        .formatted(worker, lease.reason() == null ? "given back" : lease.reason()));
        }
    }
}
