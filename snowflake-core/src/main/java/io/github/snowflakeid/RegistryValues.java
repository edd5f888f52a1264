package io.github.snowflakeid;

import io.github.snowflakeid.WorkerRegistry.Claim;
import io.github.snowflakeid.WorkerRegistry.Entry;
import io.github.snowflakeid.WorkerRegistry.Snapshot;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The values of {@link Claim}, {@link Entry} and {@link Snapshot}. */
final class RegistryValues {

    private RegistryValues() {}

    record OfClaim(
            int datacenterId,
            int workerId,
            String owner,
            String ownerInfo,
            Instant reservedFrom,
            Instant reservedUntil,
            String layout)
            implements Claim {}

    record OfEntry(
            int datacenterId,
            int workerId,
            @Nullable String owner,
            @Nullable String ownerInfo,
            Instant reservedUntil,
            Instant expiresAt,
            String layout)
            implements Entry {}

    record OfSnapshot(Instant now, List<Entry> entries, Instant floor) implements Snapshot {}
}
