package io.github.snowflakeid.redis;

import io.github.snowflakeid.internal.ControlCharacters;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * What a server is set to that endangers what it keeps.
 *
 * @param info what INFO says of memory and persistence; empty if it is not permitted
 * @param replication what INFO says of replication
 * @param kept what it keeps
 * @param ifLost what happens where it has lost some
 * @param ifSplit what happens where two servers go on
 */
record ServerCheck(String info, String replication, Kept kept, String ifLost, String ifSplit) {

    /** @param away how long new leases are without ids after Redis has lost some */
    static ServerCheck ofLeases(String info, String replication, Duration away) {
        return new ServerCheck(
                info,
                replication,
                Kept.LEASES,
                "new leases are without ids for %d s then".formatted(away.toSeconds()),
                "two servers may give out one worker id");
    }

    static ServerCheck ofCounters(String info, String replication) {
        return new ServerCheck(
                info,
                replication,
                Kept.COUNTERS,
                "numbers may be given out twice then",
                "two servers may give out the same numbers");
    }

    /** One line each, with what to set. */
    List<String> warnings() {
        List<String> warnings = new ArrayList<>();
        if (info.isEmpty()) {
            if (kept == Kept.LEASES) {
                warnings.add(
                        "Redis does not permit INFO: that it was restarted and has lost leases would not be noticed. Permit '+info'");
            }
            return warnings;
        }
        String policy = value(info, "maxmemory_policy");
        if (!value(info, "maxmemory").equals("0") && policy.startsWith("allkeys")) {
            warnings.add(
                    "Redis may evict %s (maxmemory-policy %s); %s. Set 'maxmemory-policy volatile-lru' or 'noeviction'"
                            .formatted(kept.rows, ControlCharacters.escape(policy), ifLost));
        }
        if (value(info, "aof_enabled").equals("0")) {
            warnings.add(
                    "Redis may lose %s when it is restarted (appendonly no); %s. Set 'appendonly yes' and 'appendfsync always'"
                            .formatted(kept.rows, ifLost));
        }
        if (!value(replication, "connected_slaves").matches("0?")
                && value(replication, "min_slaves_good_slaves").isEmpty()) {
            warnings.add(
                    "Redis has replicas, and goes on without them: if the network splits, %s. Set 'min-replicas-to-write 1'"
                            .formatted(ifSplit));
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
