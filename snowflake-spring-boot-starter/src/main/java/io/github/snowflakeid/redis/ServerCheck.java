package io.github.snowflakeid.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * What a server is set to that endangers leases.
 *
 * @param info what INFO says of memory and persistence; empty if it is not permitted
 * @param replication what INFO says of replication
 * @param away how long new leases are without ids after Redis has lost some
 */
record ServerCheck(String info, String replication, Duration away) {

    /** One line each, with what to set. */
    List<String> warnings() {
        List<String> warnings = new ArrayList<>();
        if (info.isEmpty()) {
            warnings.add(
                    "Redis does not permit INFO: that it was restarted and has lost leases would not be noticed. Permit '+info'");
            return warnings;
        }
        String policy = value(info, "maxmemory_policy");
        if (!value(info, "maxmemory").equals("0") && policy.startsWith("allkeys")) {
            warnings.add(
                    "Redis may evict leases (maxmemory-policy %s); new leases are without ids for %d s then. Set 'maxmemory-policy volatile-lru' or 'noeviction'"
                            .formatted(policy, away.toSeconds()));
        }
        if (value(info, "aof_enabled").equals("0")) {
            warnings.add(
                    "Redis may lose leases when it is restarted (appendonly no); new leases are without ids for %d s then. Set 'appendonly yes' and 'appendfsync always'"
                            .formatted(away.toSeconds()));
        }
        if (!value(replication, "connected_slaves").matches("0?")
                && value(replication, "min_slaves_good_slaves").isEmpty()) {
            warnings.add(
                    "Redis has replicas, and goes on without them: if the network splits, two servers may give out one worker id. Set 'min-replicas-to-write 1'");
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
