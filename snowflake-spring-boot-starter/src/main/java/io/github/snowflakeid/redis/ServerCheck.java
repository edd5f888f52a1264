package io.github.snowflakeid.redis;

import io.github.snowflakeid.internal.ControlCharacters;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import org.springframework.data.redis.connection.convert.Converters;

/** Finds settings of a Redis server that endanger stored leases or counters. */
final class ServerCheck {

    private ServerCheck() {}

    /**
     * Returns one line for each dangerous setting, with the setting to use instead.
     *
     * @param info the sections {@code memory} and {@code persistence} of INFO; empty if INFO is not permitted
     * @param replication the section {@code replication} of INFO
     * @param delay how long a new lease issues no IDs after Redis has lost data
     */
    static List<String> warnings(HashKind kind, String info, String replication, Duration delay) {
        String ifLost = kind.ifLost().formatted(delay.toSeconds());
        List<String> warnings = new ArrayList<>();
        if (info.isEmpty()) {
            if (kind.equals(HashKind.LEASES)) {
                warnings.add(
                        "A restart of Redis that loses leases cannot be detected because Redis does not permit INFO. Permit '+info'");
            }
            return warnings;
        }
        Properties values = Converters.toProperties(info + replication);
        String policy = values.getProperty("maxmemory_policy", "");
        if (!values.getProperty("maxmemory", "").equals("0") && policy.startsWith("allkeys")) {
            warnings.add(
                    "Redis may evict %s (maxmemory-policy %s); %s. Set 'maxmemory-policy volatile-lru' or 'noeviction'"
                            .formatted(kind.rows(), ControlCharacters.escape(policy), ifLost));
        }
        if (values.getProperty("aof_enabled", "").equals("0")) {
            warnings.add(
                    "Redis may lose %s when it is restarted (appendonly no); %s. Set 'appendonly yes' and 'appendfsync always'"
                            .formatted(kind.rows(), ifLost));
        }
        if (!values.getProperty("connected_slaves", "").matches("0?")
                && values.getProperty("min_slaves_good_slaves", "").isEmpty()) {
            warnings.add(
                    "Redis has replicas, but accepts writes without them: if the network splits, %s. Set 'min-replicas-to-write 1'"
                            .formatted(kind.ifSplit()));
        }
        return warnings;
    }
}
