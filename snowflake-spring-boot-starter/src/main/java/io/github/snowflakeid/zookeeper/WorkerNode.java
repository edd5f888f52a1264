package io.github.snowflakeid.zookeeper;

import io.github.snowflakeid.worker.WorkerRegistry.Claim;
import io.github.snowflakeid.worker.WorkerRegistry.Entry;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * A znode as it was read: its data as text, and its state with the version of the data.
 *
 * <p>The data of a worker ID are six lines: the format, the owner (empty if the worker ID is free), the end of the
 * reserved time, the ttl in milliseconds, the layout, and a description of the present or last owner. Before the first
 * claim, the znode is empty and has no entry. The data do not contain the expiry of a claim: it is the ttl after the
 * server's time of the write, which ZooKeeper stores with every znode.
 */
record WorkerNode(String path, String text, Stat stat) {

    /** Data before the first claim. */
    static final String EMPTY = "";

    private static final String FORMAT = "snowflake 1";
    private static final int LINES = 6;

    /** Returns a znode for an answer of the server. The data are null if the znode was created without data. */
    static WorkerNode of(String path, byte @Nullable [] data, Stat stat) {
        return new WorkerNode(path, data == null ? EMPTY : new String(data, StandardCharsets.UTF_8), stat);
    }

    /** Returns the data of a namespace's znode. */
    static String ofNamespace(String namespace) {
        return FORMAT + " namespace " + namespace;
    }

    /** Returns the data of a worker ID, with an empty owner if it was released. */
    static String data(String owner, Claim claim, Instant reservedUntil, Duration ttl) {
        return String.join(
                "\n",
                FORMAT,
                owner,
                reservedUntil.toString(),
                Long.toString(ttl.toMillis()),
                claim.layout(),
                claim.ownerInfo());
    }

    boolean isEmpty() {
        return text.isEmpty();
    }

    /**
     * Returns the entry of the worker ID that the znode is named after; null before the first claim.
     *
     * @throws DateTimeException if the znode does not belong to a worker ID
     * @throws NumberFormatException if the znode does not belong to a worker ID
     */
    @Nullable
    Entry entry() {
        String name = path.substring(path.lastIndexOf('/') + 1);
        int dash = Math.max(name.indexOf('-'), 0);
        int datacenterId = Integer.parseInt(name.substring(0, dash));
        int workerId = Integer.parseInt(name.substring(dash + 1));
        if (isEmpty()) {
            return null;
        }
        String[] lines = text.split("\n", LINES);
        if (!lines[0].equals(FORMAT) || lines.length != LINES) {
            throw new NumberFormatException(lines[0]);
        }
        return new Entry(
                datacenterId,
                workerId,
                lines[1].isEmpty() ? null : lines[1],
                lines[5],
                Instant.parse(lines[2]),
                Instant.ofEpochMilli(stat.getMtime()).plusMillis(Long.parseLong(lines[3])),
                lines[4]);
    }
}
