package io.github.snowflakeid.redis;

import io.github.snowflakeid.WorkerIdUnavailableException;
import io.github.snowflakeid.internal.failure.ConfigurationException;
import io.github.snowflakeid.internal.failure.Problem;
import io.github.snowflakeid.internal.store.Namespaces;
import io.github.snowflakeid.worker.BoundedRegistry;
import io.github.snowflakeid.worker.WorkerRegistry;
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
 * Keeps leases in Redis, alone, with replicas or as a cluster: one hash for each namespace, with a field for each
 * worker id that was ever leased. Each call is one script, which Redis runs as one atomic step. Redis' clock decides when a
 * lease expires.
 *
 * <p><b>A Redis that forgets makes no id twice.</b> No claim is written whose time ends later than {@code furthest} after Redis'
 * clock. So whatever Redis may have given out and lost lies before then. The hash has a mark: which server has written it, and
 * a floor that new claims begin at. Where the mark is missing, as after {@code FLUSHALL}, or is of another server, as after a
 * restart or a failover, which may have lost the last writes or gone back to an earlier state, the floor is the greatest {@code
 * furthest} that any process of the namespace had from now, and some seconds for servers whose clocks differ. Who holds a lease
 * and finds it as it was goes on with it; who wants a new one gets ids that begin at the floor.
 *
 * <p>Two servers that both take writes for one namespace, as two sides of a network that has split, are not noticed: set {@code
 * min-replicas-to-write 1} where there are replicas. Nor are fields that somebody deletes or copies back by hand.
 *
 * <p>A script whose answer was lost may be sent again by the client; it is recognized, and not done twice. What Redis refuses for
 * good, such as a wrong password, is a {@link WorkerIdUnavailableException} with a {@link ConfigurationException} as its cause; what
 * may be different a little later is a {@link ConfigurationException}. How long an answer may take is up to the connection; a {@link
 * BoundedRegistry} limits it.
 *
 * <p>Safe for use by any number of threads.
 *
 * @since 0.1.0
 */
public final class RedisWorkerRegistry implements WorkerRegistry {

    /** How the keys of namespaces begin unless another prefix is given. */
    public static final String DEFAULT_KEY_PREFIX = "snowflake:";

    private static final Log LOG = LogFactory.getLog(RedisWorkerRegistry.class);

    private static final Duration USUAL_MARGIN = Duration.ofSeconds(5);

    private static final String NOBODY = "";
    private static final long TOO_FAR = -1;
    private static final int ENTRY_LINES = 6;

    private final RedisScripts scripts;
    private final String keyPrefix;
    private final String namespace;
    private final Duration furthest;
    private final Duration margin;

    /** Whether the namespace is known to be new, so that there is nothing to be forgotten. */
    private volatile boolean isNew;

    private volatile boolean checked;
    private volatile Instant told = Instant.EPOCH;

    /**
     * Makes a registry; does not ask Redis yet.
     *
     * @param connections to Redis; stays the caller's
     * @param keyPrefix how keys begin; the namespace follows
     * @param namespace the name under which processes share worker ids, from 1 to 100 characters
     * @param furthest how far ahead of Redis' clock time may be reserved: at least a ttl, and what clocks and ids may be ahead. The
     *     same for all processes of the namespace.
     * @throws IllegalArgumentException if the namespace is none
     */
    public RedisWorkerRegistry(
            RedisConnectionFactory connections, String keyPrefix, String namespace, Duration furthest) {
        this(connections, keyPrefix, namespace, furthest, USUAL_MARGIN, false);
    }

    /** @param margin for the time between reading a floor and writing a claim, and for clocks of servers that replace each other */
    RedisWorkerRegistry(
            RedisConnectionFactory connections,
            String keyPrefix,
            String namespace,
            Duration furthest,
            Duration margin,
            boolean isNew) {
        scripts = new RedisScripts(connections, StoredKind.LEASES);
        this.keyPrefix = Objects.requireNonNull(keyPrefix, "keyPrefix");
        this.namespace = Namespaces.checked(namespace);
        this.furthest = furthest;
        this.margin = margin;
        this.isNew = isNew;
    }

    /**
     * The same registry, for a namespace in which no process has ever leased: where its mark is missing, nothing was
     * forgotten. A Redis that forgets before the first lease of this process makes ids twice then.
     *
     * @return another registry, on the same connections
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
            Duration away = furthest.plus(margin.multipliedBy(2));
            ServerCheck.warnings(StoredKind.LEASES, answer.get(5), answer.get(6), away)
                    .forEach(LOG::warn);
        }
        Instant floor = floor(mark);
        List<Entry> entries = new ArrayList<>();
        for (int i = Mark.LINES; i + 1 < answer.size(); i += 2) {
            entries.add(entry(answer.get(i), answer.get(i + 1)));
        }
        return new Snapshot(mark.now(), entries, floor);
    }

    /** Tells once where ids begin, if that is later than now. */
    private Instant floor(Mark mark) {
        if (mark.floor() != null && isNew) {
            isNew = false;
            LOG.warn("Namespace '" + namespace
                    + "' is not new in Redis. Remove 'snowflake.worker.redis.assume-new-namespace': with it, ids may be made twice once"
                    + " Redis has lost what it holds");
        }
        if (mark.isOfThisServer()) {
            return Objects.requireNonNull(mark.floor());
        }
        if (mark.floor() == null && isNew) {
            return Instant.EPOCH;
        }
        Duration reach = furthest.compareTo(mark.widest()) > 0 ? furthest : mark.widest();
        // Once for clocks of servers that replace each other, once for the time until a claim is written.
        Instant floor = mark.now().plus(reach).plus(margin.multipliedBy(2));
        if (mark.floor() != null && mark.floor().isAfter(floor)) {
            floor = mark.floor();
        }
        if (told.isBefore(mark.now())) {
            told = floor;
            LOG.warn(whyFloor(mark).formatted(namespace, floor));
        }
        return floor;
    }

    private static String whyFloor(Mark mark) {
        if (mark.floor() == null) {
            return "Namespace '%s' is new in Redis, or Redis has lost it: ids of a new lease begin at %s. Where it is known to be new, set 'snowflake.worker.redis.assume-new-namespace: true' for the first start";
        }
        return "Redis was restarted, another server has taken its place, or its replication id has changed since namespace '%s' was last written to. It may have lost leases: ids of a new lease begin at %s";
    }

    private Entry entry(String field, String value) {
        String[] lines = value.split("\n", ENTRY_LINES);
        String[] ids = field.split(":", 2);
        try {
            return new Entry(
                    Integer.parseInt(ids[0]),
                    Integer.parseInt(ids[1]),
                    lines[0].equals(NOBODY) ? null : lines[0],
                    lines[5],
                    Instant.ofEpochMilli(Long.parseLong(lines[1])),
                    Instant.ofEpochMilli(Long.parseLong(lines[2])),
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
                seen == null || seen.owner() == null ? NOBODY : seen.owner(),
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
        return write("release", held, held.owner(), held.reservedUntil(), NOBODY, reservedUntil, Duration.ZERO);
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
                line(claim.layout()),
                line(claim.ownerInfo()),
                String.valueOf(furthest.toMillis()),
                String.valueOf(margin.toMillis()),
                isNew ? "new" : "");
        if (written == TOO_FAR) {
            throw Problem.CLOCK_SKEW.exception(
                    "Redis lets no time be reserved that is more than %d s ahead of its clock, but %s was asked for; the clock of this machine is ahead, or other durations of snowflake.worker.lease were in force before"
                            .formatted(furthest.toSeconds(), until),
                    "Let NTP set the clocks of this machine and of Redis.");
        }
        return written == 1;
    }

    private static String millis(Instant instant) {
        return String.valueOf(instant.toEpochMilli());
    }

    private static String line(String text) {
        return text.replace('\n', ' ');
    }

    private String key() {
        return keyPrefix + namespace;
    }

    /**
     * Who has written a namespace last, and where its new claims begin.
     *
     * @param now Redis' clock
     * @param server the server that was asked
     * @param writer the server that has written the mark
     * @param floor null if there is no mark
     * @param widest how far ahead of its clock anybody was let reserve time
     */
    private record Mark(
            Instant now,
            String server,
            String writer,
            @Nullable Instant floor,
            Duration widest) {

        /** How many elements of an answer come before the entries: these five, and two for a check of the server. */
        static final int LINES = 7;

        static Mark of(List<String> answer) {
            return new Mark(
                    Instant.ofEpochMilli(Long.parseLong(answer.get(0))),
                    answer.get(1),
                    answer.get(2),
                    answer.get(3).isEmpty() ? null : Instant.ofEpochMilli(Long.parseLong(answer.get(3))),
                    Duration.ofMillis(Long.parseLong(answer.get(4))));
        }

        boolean isOfThisServer() {
            return floor != null && server.equals(writer);
        }
    }
}
