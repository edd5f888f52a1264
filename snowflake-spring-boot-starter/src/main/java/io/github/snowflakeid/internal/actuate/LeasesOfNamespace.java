package io.github.snowflakeid.internal.actuate;

import io.github.snowflakeid.IdFields;
import io.github.snowflakeid.LeaseTerms;
import io.github.snowflakeid.SnowflakeIdGenerator;
import io.github.snowflakeid.WorkerLease.State;
import io.github.snowflakeid.WorkerRegistry.Entry;
import io.github.snowflakeid.WorkerRegistry.Snapshot;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

/** Describes the leases of a generator's namespace for the endpoint. Each call reads the registry. */
record LeasesOfNamespace(SnowflakeIdGenerator generator, LeaseTerms terms) {

    /** The largest number of leases in one answer. Layouts may have millions of worker IDs. */
    private static final int MOST_SHOWN = 1000;

    Map<String, Object> details() {
        return read((seen, details) -> {
            details.put("namespace", terms.registry().namespace());
            details.put("store", terms.registry().kind());
            details.put("clock", seen.now().toString());
            List<Map<String, Object>> leases = seen.entries().stream()
                    .sorted(Comparator.comparingInt(Entry::datacenterId).thenComparingInt(Entry::workerId))
                    .limit(MOST_SHOWN)
                    .map(entry -> details(entry, seen.now()))
                    .toList();
            details.put("leases", leases);
            details.put("notShown", seen.entries().size() - leases.size());
        });
    }

    /** Describes the worker ID in the fields of an ID. */
    Map<String, Object> worker(IdFields fields) {
        return read((seen, details) -> {
            Entry found = seen.entryOf(fields.datacenterId(), fields.workerId());
            details.put("known", found != null);
            if (found != null) {
                putHolder(details, found, seen.now());
                details.put("mayExist", fields.timestamp().isBefore(found.reservedUntil()));
            }
        });
    }

    private Map<String, Object> read(BiConsumer<Snapshot, Map<String, Object>> report) {
        Map<String, Object> details = new LinkedHashMap<>();
        try {
            report.accept(generator.readRegistry().orElseThrow(), details);
        } catch (RuntimeException e) {
            details.put("error", "the registry is unavailable: " + e.getMessage());
        }
        return details;
    }

    private Map<String, Object> details(Entry entry, Instant now) {
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("datacenterId", entry.datacenterId());
        details.put("workerId", entry.workerId());
        putHolder(details, entry, now);
        Duration left = Duration.between(now, entry.expiresAt());
        details.put(
                entry.expiresAt().isAfter(now) ? "expiresIn" : "expiredFor",
                left.abs().toString());
        details.put("idsEndBefore", entry.reservedUntil().toString());
        details.put("layout", entry.layout());
        return details;
    }

    private void putHolder(Map<String, Object> details, Entry entry, Instant now) {
        boolean isFree = !entry.unavailableUntil(terms.ttl()).isAfter(now);
        details.put("state", isFree ? "free" : entry.expiresAt().isAfter(now) ? "leased" : "expired");
        details.put("owner", entry.ownerInfo());
        details.put(
                "thisGenerator",
                generator
                        .lease()
                        .filter(lease -> lease.state() != State.LOST && lease.state() != State.CLOSED)
                        .filter(lease ->
                                lease.datacenterId() == entry.datacenterId() && lease.workerId() == entry.workerId())
                        .isPresent());
    }
}
