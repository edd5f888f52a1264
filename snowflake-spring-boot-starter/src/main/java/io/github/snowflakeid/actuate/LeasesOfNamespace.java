package io.github.snowflakeid.actuate;

import io.github.snowflakeid.SnowflakeIdGenerator;
import io.github.snowflakeid.worker.LeaseTerms;
import io.github.snowflakeid.worker.WorkerLease;
import io.github.snowflakeid.worker.WorkerRegistry.Entry;
import io.github.snowflakeid.worker.WorkerRegistry.Snapshot;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Who holds which worker id, as the registry of a generator says at one moment. */
final class LeasesOfNamespace {

    /** Layouts may have millions of worker ids; nobody reads that many. */
    private static final int MOST_SHOWN = 1000;

    private final SnowflakeIdGenerator generator;
    private final LeaseTerms terms;

    LeasesOfNamespace(SnowflakeIdGenerator generator, LeaseTerms terms) {
        this.generator = generator;
        this.terms = terms;
    }

    Map<String, Object> details() {
        Map<String, Object> details = new LinkedHashMap<>();
        try {
            Snapshot seen = generator.readRegistry().orElseThrow();
            details.put("namespace", terms.registry().namespace());
            details.put("store", terms.registry().kind());
            details.put("clock", seen.now().toString());
            List<Entry> entries = new ArrayList<>(seen.entries());
            entries.sort(Comparator.comparingInt(Entry::datacenterId).thenComparingInt(Entry::workerId));
            List<Map<String, Object>> leases = new ArrayList<>();
            for (Entry entry : entries.subList(0, Math.min(MOST_SHOWN, entries.size()))) {
                leases.add(details(entry, seen.now()));
            }
            details.put("leases", leases);
            details.put("notShown", entries.size() - leases.size());
        } catch (RuntimeException unreachable) {
            details.put("error", "the registry is not reachable: " + unreachable.getMessage());
        }
        return details;
    }

    private Map<String, Object> details(Entry entry, Instant now) {
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("datacenterId", entry.datacenterId());
        details.put("workerId", entry.workerId());
        details.put("state", stateOf(entry, now));
        details.put("owner", entry.ownerInfo());
        details.put("thisGenerator", isOfGenerator(entry));
        Duration left = Duration.between(now, entry.expiresAt());
        details.put(left.isNegative() ? "endedFor" : "endsIn", left.abs().toString());
        details.put("idsEndBefore", entry.reservedUntil().toString());
        details.put("layout", entry.layout());
        return details;
    }

    private String stateOf(Entry entry, Instant now) {
        if (!entry.unavailableUntil(terms.ttl()).isAfter(now)) {
            return "free";
        }
        return entry.expiresAt().isAfter(now) ? "leased" : "expired";
    }

    private boolean isOfGenerator(Entry entry) {
        WorkerLease lease = generator.lease().orElse(null);
        return lease != null
                && lease.state() != WorkerLease.State.LOST
                && lease.state() != WorkerLease.State.CLOSED
                && lease.datacenterId() == entry.datacenterId()
                && lease.workerId() == entry.workerId();
    }

    /** What the registry knows of the worker of an id. */
    Map<String, Object> worker(int datacenterId, int workerId, Instant timestamp) {
        Map<String, Object> details = new LinkedHashMap<>();
        try {
            Snapshot seen = generator.readRegistry().orElseThrow();
            Entry found = seen.entryOf(datacenterId, workerId);
            details.put("known", found != null);
            if (found != null) {
                details.put("state", stateOf(found, seen.now()));
                details.put("owner", found.ownerInfo());
                details.put("thisGenerator", isOfGenerator(found));
                details.put("mayBeMade", timestamp.isBefore(found.reservedUntil()));
            }
        } catch (RuntimeException unreachable) {
            details.put("error", "the registry is not reachable: " + unreachable.getMessage());
        }
        return details;
    }
}
