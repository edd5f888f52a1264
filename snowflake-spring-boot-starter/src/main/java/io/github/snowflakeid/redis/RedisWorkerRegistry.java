package io.github.snowflakeid.redis;

import io.github.snowflakeid.WorkerIdUnavailableException;
import io.github.snowflakeid.WorkerRegistry;
import io.github.snowflakeid.internal.failure.Problem;
import io.github.snowflakeid.internal.store.Namespaces;
import io.github.snowflakeid.worker.BoundedRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * Stores leases in Redis (standalone, with replicas or as a cluster). Each namespace is one hash, with a field for each
 * worker ID that was ever leased. Each call runs one script, which Redis executes atomically. Redis's clock decides
 * when a lease expires.
 *
 * <p><b>IDs stay unique if Redis loses data.</b> No claim may reserve time that ends later than {@code furthest} after
 * Redis's clock. Every reservation that Redis has confirmed and then lost therefore ends before that time. The hash
 * also contains a mark: the server that has written the mark, and a floor, the earliest time for IDs of new claims. The
 * mark is missing after {@code FLUSHALL}. It names another server after a restart or a failover, in which Redis may
 * have lost the last writes or restored an earlier state. In both cases, the floor is raised to the current time plus
 * the greatest known {@code furthest} of the namespace's processes, plus some seconds for servers with different
 * clocks:
 *
 * <ul>
 *   <li>A process that acquires a new lease issues IDs from the floor on.
 *   <li>A process whose lease is still stored unchanged continues with it, also if it has expired in the meantime. It
 *       may not if another process could have acquired the worker ID on a server that is gone: one ttl after the expiry
 *       minus those seconds, or, if that server had lost the lease, at its floor.
 *   <li>A floor can be farther in the future if the mark was written while Redis's clock was ahead. Acquisitions then
 *       fail until Redis's clock has come near enough, because IDs of lost leases may exist up to the floor.
 * </ul>
 *
 * <p>The registry cannot detect two servers that both accept writes for one namespace, as in a network partition. To
 * prevent this, set {@code min-replicas-to-write 1} if there are replicas. It also cannot detect that fields were
 * deleted or restored by hand.
 *
 * <p>If the client sends a script again because the answer was lost, the registry recognizes the repetition and does
 * not write twice. If Redis permanently rejects a call, for example because of a wrong password, the call throws a
 * {@link WorkerIdUnavailableException}. After any other failure it throws another
 * {@link io.github.snowflakeid.SnowflakeException}. The connection determines how long a call may take; wrap the
 * registry in a {@link BoundedRegistry} to limit that.
 *
 * <p>Safe for use by any number of threads.
 *
 * @since 1.0
 */
public final class RedisWorkerRegistry implements WorkerRegistry {

    /** The default prefix of the keys of namespaces. */
    public static final String DEFAULT_KEY_PREFIX = "snowflake:";

    private static final Log LOG = LogFactory.getLog(RedisWorkerRegistry.class);

    private static final Duration DEFAULT_MARGIN = Duration.ofSeconds(5);

    private static final String NO_OWNER = "";
    private static final long TOO_FAR = -1;
    private static final long FLOOR_TOO_FAR = -2;
    private static final int ENTRY_LINES = 6;

    private final RedisScripts scripts;
    private final String keyPrefix;
    private final String namespace;
    private final Duration furthest;
    private final Duration margin;

    /** Whether the namespace is assumed to be new, so that Redis cannot have lost any of its leases. */
    private volatile boolean isNew;

    private volatile boolean checked;

    /** Until when no floor is logged again, as {@link System#nanoTime()}: Redis's clock may step back. */
    private volatile long silentUntil = System.nanoTime();

    /**
     * Creates a registry. Does not access Redis yet.
     *
     * @param connections the source of connections to Redis; the registry does not close it
     * @param keyPrefix the prefix of keys; the namespace follows
     * @param namespace the name under which processes share worker IDs, from 1 to 100 characters
     * @param furthest how far ahead of Redis's clock time may be reserved: at least the ttl, plus the time by which
     *     this machine's clock may be ahead ({@code maxClockSkew}), plus the time by which the IDs may be ahead of it
     *     ({@code maxDrift} and {@code maxWait}). Use the same value in all processes of the namespace.
     * @throws IllegalArgumentException if the namespace is invalid
     */
    public RedisWorkerRegistry(
            RedisConnectionFactory connections, String keyPrefix, String namespace, Duration furthest) {
        this(connections, keyPrefix, namespace, furthest, DEFAULT_MARGIN, false);
    }

    /**
     * @param margin the time to add for clock differences between servers that replace each other, and for the delay
     *     between reading a floor and writing a claim
     */
    RedisWorkerRegistry(
            RedisConnectionFactory connections,
            String keyPrefix,
            String namespace,
            Duration furthest,
            Duration margin,
            boolean isNew) {
        scripts = new RedisScripts(connections, HashKind.LEASES);
        this.keyPrefix = Objects.requireNonNull(keyPrefix, "keyPrefix");
        this.namespace = Namespaces.checked(namespace);
        this.furthest = furthest;
        this.margin = margin;
        this.isNew = isNew;
    }

    /**
     * Returns a copy of this registry for a namespace in which no process has ever leased. If the mark is missing, the
     * copy assumes that Redis has lost nothing, and new leases issue IDs at once. If the namespace is not new and Redis
     * has lost it, IDs may be issued twice.
     *
     * @return a registry that uses the same connections
     */
    public RedisWorkerRegistry assumingNewNamespace() {
        return new RedisWorkerRegistry(scripts.connections(), keyPrefix, namespace, furthest, margin, true);
    }

    @Override
    public String namespace() {
        return namespace;
    }

    @Override
    public String kind() {
        return "redis";
    }

    @Override
    public Snapshot read() {
        List<String> answer = scripts.texts(RedisScripts.READ_LEASES, key(), checked ? "" : "check");
        Mark mark = Mark.of(answer);
        if (!checked) {
            checked = true;
            Duration delay = furthest.plus(margin.multipliedBy(2));
            ServerCheck.warnings(HashKind.LEASES, answer.get(5), answer.get(6), delay)
                    .forEach(LOG::warn);
        }
        Instant floor = floor(mark);
        List<Entry> entries = new ArrayList<>();
        for (int i = Mark.LINES; i + 1 < answer.size(); i += 2) {
            entries.add(entry(answer.get(i), answer.get(i + 1)));
        }
        return Snapshot.of(mark.now(), entries).withFloor(floor);
    }

    /** Returns the earliest time for IDs of new claims, and logs it once if it is in the future. */
    private Instant floor(Mark mark) {
        if (mark.floor() != null && isNew) {
            isNew = false;
            LOG.warn("Namespace '" + namespace
                    + "' is not new in Redis. Remove 'snowflake.worker.redis.assume-new-namespace': with it, IDs may be issued twice if"
                    + " Redis loses data");
        }
        if (mark.isOfThisServer()) {
            return Objects.requireNonNull(mark.floor());
        }
        if (mark.floor() == null && isNew) {
            return Instant.EPOCH;
        }
        Duration reach = furthest.compareTo(mark.widest()) > 0 ? furthest : mark.widest();
        // One margin for clock differences between servers, one for the delay until a claim is written.
        Duration ahead = reach.plus(margin.multipliedBy(2));
        Instant floor = mark.now().plus(ahead);
        if (mark.floor() != null && mark.floor().isAfter(floor)) {
            // An acquisition reports that this floor is not due to lost leases.
            return mark.floor();
        }
        if (System.nanoTime() - silentUntil >= 0) {
            silentUntil = System.nanoTime() + ahead.toNanos();
            LOG.warn(whyFloor(mark).formatted(namespace, floor));
        }
        return floor;
    }

    private static String whyFloor(Mark mark) {
        if (mark.floor() == null) {
            return "IDs of a new lease begin at %2$s: namespace '%1$s' is new in Redis, or Redis has lost it. If it is known to be new, start one process with '--snowflake.worker.redis.assume-new-namespace=true'";
        }
        return "IDs of a new lease begin at %2$s: Redis may have lost leases. Since namespace '%1$s' was last written, Redis was restarted, another server has taken over, or the replication ID has changed";
    }

    private Entry entry(String field, String value) {
        String[] lines = value.split("\n", ENTRY_LINES);
        String[] ids = field.split(":", 2);
        try {
            return Entry.of(
                    Integer.parseInt(ids[0]),
                    Integer.parseInt(ids[1]),
                    lines[0].equals(NO_OWNER) ? null : lines[0],
                    lines[5],
                    time(lines[1]),
                    time(lines[2]),
                    lines[4]);
        } catch (RuntimeException e) {
            throw scripts.translator(key()).foreign(field);
        }
    }

    @Override
    public boolean acquire(@Nullable Entry seen, Claim claim, Duration ttl) {
        boolean written = write(
                seen == null ? "create" : "replace",
                claim,
                seen == null || seen.owner() == null ? NO_OWNER : seen.owner(),
                seen == null ? Instant.EPOCH : seen.reservedUntil(),
                claim.owner(),
                claim.reservedUntil(),
                ttl);
        if (written) {
            isNew = false;
        }
        return written;
    }

    @Override
    public boolean renew(Claim held, Instant reservedUntil, Duration ttl) {
        return write("renew", held, held.owner(), held.reservedUntil(), held.owner(), reservedUntil, ttl);
    }

    @Override
    public boolean release(Claim held, Instant reservedUntil) {
        return write("release", held, held.owner(), held.reservedUntil(), NO_OWNER, reservedUntil, Duration.ZERO);
    }

    private boolean write(
            String step,
            Claim claim,
            String ownerBefore,
            Instant untilBefore,
            String owner,
            Instant until,
            Duration ttl) {
        long written = scripts.number(
                RedisScripts.WRITE_LEASE,
                key(),
                step,
                claim.datacenterId() + ":" + claim.workerId(),
                UUID.randomUUID().toString(),
                ownerBefore,
                millis(untilBefore),
                owner,
                millis(claim.reservedFrom()),
                millis(until),
                String.valueOf(ttl.toMillis()),
                claim.layout(),
                claim.ownerInfo(),
                String.valueOf(furthest.toMillis()),
                String.valueOf(margin.toMillis()),
                isNew ? "new" : "");
        if (written == TOO_FAR) {
            throw Problem.CLOCK_SKEW.exception(
                    "Reservation rejected: it ends more than %s s after Redis's clock (requested end: %s). Either this machine's clock is ahead, Redis's clock was set back, or a longer ttl, max-clock-skew, max-drift or max-wait was set before"
                            .formatted(furthest.toSeconds(), until),
                    "Synchronize the clocks of this machine and of Redis with NTP. If Redis's clock was set back, restart this process.");
        }
        if (written == FLOOR_TOO_FAR) {
            throw Problem.STORE_CLOCK_AHEAD.exception(
                    "Redis's clock was ahead, so IDs up to %s may exist in namespace '%s', and no worker ID is leased before then"
                            .formatted(claim.reservedFrom(), namespace),
                    """
                    If Redis's clock is behind now, correct it. Otherwise wait until then.""");
        }
        return written == 1;
    }

    private static String millis(Instant instant) {
        return String.valueOf(instant.toEpochMilli());
    }

    private static Instant time(String millis) {
        return Instant.ofEpochMilli(Long.parseLong(millis));
    }

    private String key() {
        return keyPrefix + namespace;
    }

    /**
     * The mark of a namespace, as the server that was read returned it.
     *
     * @param now Redis's clock
     * @param isOfThisServer whether the server that was read has written the mark
     * @param floor the earliest time for IDs of new claims; null if there is no mark
     * @param widest the greatest {@code furthest} of the processes that have written the mark
     */
    private record Mark(
            Instant now, boolean isOfThisServer, @Nullable Instant floor, Duration widest) {

        /**
         * The number of elements before the entries of an answer: clock, server, writer, floor, widest, and two for the
         * check of the server.
         */
        static final int LINES = 7;

        static Mark of(List<String> answer) {
            boolean isMissing = answer.get(3).isEmpty();
            return new Mark(
                    time(answer.get(0)),
                    !isMissing && answer.get(1).equals(answer.get(2)),
                    isMissing ? null : time(answer.get(3)),
                    Duration.ofMillis(Long.parseLong(answer.get(4))));
        }
    }
}
