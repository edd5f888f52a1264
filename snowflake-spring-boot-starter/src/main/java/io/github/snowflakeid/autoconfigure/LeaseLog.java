package io.github.snowflakeid.autoconfigure;

import io.github.snowflakeid.SnowflakeIdGenerator;
import io.github.snowflakeid.worker.WorkerLease;
import io.github.snowflakeid.worker.WorkerLease.State;
import java.util.function.Consumer;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/** Logs what happens to a lease after the start. Called by one thread at a time. */
final class LeaseLog implements Consumer<WorkerLease> {

    private static final Log LOG = LogFactory.getLog(SnowflakeIdGenerator.class);

    /** Null until the first worker id is leased, of which the line at the start tells. */
    private volatile @Nullable State before;

    private final String label;

    /** @param label how each line begins */
    LeaseLog(String label) {
        this.label = label;
    }

    @Override
    public void accept(WorkerLease lease) {
        @Nullable State last = before;
        before = lease.state();
        if (last == null && lease.state() == State.HELD) {
            return;
        }
        String worker = "worker id " + lease.workerId() + ", datacenter id " + lease.datacenterId();
        switch (lease.state()) {
            case HELD -> LOG.info(label + "Lease of " + worker + " is held; ids may be made up to " + lease.fence());
            case EXPIRING ->
                LOG.warn(label + "Lease of " + worker + " could not be renewed (" + lease.reason()
                        + "); ids are made up to " + lease.fence() + ", and renewing it is tried again");
            case LOST -> {
                if (last == State.HELD || last == State.EXPIRING) {
                    LOG.warn(label + "Lease of " + worker + " is lost: " + lease.reason()
                            + "; no ids are made until another worker id is leased");
                } else {
                    LOG.warn(
                            label + "No worker id is leased yet: " + lease.reason() + "; no ids are made until one is");
                }
            }
            case CLOSED ->
                LOG.info(label + "Lease of " + worker + " has ended: "
                        + (lease.reason() == null ? "given back" : lease.reason()));
        }
    }
}
