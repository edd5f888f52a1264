package io.github.snowflakeid.redis;

import io.github.snowflakeid.internal.ControlCharacters;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Looks for settings of a server that endanger what is stored in it. */
final class ServerCheck {

    private ServerCheck() {}

    /**
     * Returns warnings of one line each, with what to set.
     *
     * @param info what INFO says of memory and persistence; empty if it is not permitted
     * @param replication what INFO says of replication
     * @param away how long new leases have no IDs after Redis has lost some
     */
    static List<String> warnings(StoredKind kind, String info, String replication, Duration away) {
        String ifLost = kind.ifLost().formatted(away.toSeconds());
        List<String> warnings = new ArrayList<>();
        if (info.isEmpty()) {
            if (kind.equals(StoredKind.LEASES)) {
                warnings.add(
                        "Redis does not permit INFO: that it was restarted and has lost leases would not be noticed. Permit '+info'");
            }
            return warnings;
        }
        String policy = value(info, "maxmemory_policy");
        if (!value(info, "maxmemory").equals("0") && policy.startsWith("allkeys")) {
            warnings.add(
                    "Redis may evict %s (maxmemory-policy %s); %s. Set 'maxmemory-policy volatile-lru' or 'noeviction'"
                            .formatted(kind.rows(), ControlCharacters.escape(policy), ifLost));
        }
        if (value(info, "aof_enabled").equals("0")) {
            warnings.add(
                    "Redis may lose %s when it is restarted (appendonly no); %s. Set 'appendonly yes' and 'appendfsync always'"
                            .formatted(kind.rows(), ifLost));
        }
        if (!value(replication, "connected_slaves").matches("0?")
                && value(replication, "min_slaves_good_slaves").isEmpty()) {
            warnings.add(
                    "Redis has replicas, and goes on without them: if the network splits, %s. Set 'min-replicas-to-write 1'"
                            .formatted(kind.ifSplit()));
        }
        return warnings;
    }

    /** Empty if there is none. */
    private static String value(String section, String name) {
        return section.lines()
                .filter(line -> line.startsWith(name + ":"))
                .findFirst()
                .map(line -> line.substring(name.length() + 1).strip())
                .orElse("");
    }
}
