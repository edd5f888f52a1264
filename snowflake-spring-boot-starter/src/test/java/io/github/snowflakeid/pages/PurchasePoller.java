package io.github.snowflakeid.pages;

import io.github.snowflakeid.IdLayout;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.function.Supplier;
import org.springframework.jdbc.core.JdbcTemplate;

/** The poller of docs/time.md: reads purchases in the order of their IDs, and misses none. */
final class PurchasePoller {

    private final JdbcTemplate jdbc;
    private final Supplier<Instant> watermark;
    private long next;

    PurchasePoller(JdbcTemplate jdbc, Supplier<Instant> watermark) {
        this.jdbc = jdbc;
        this.watermark = watermark;
    }

    List<Long> poll() {
        // Before the rows are read: a transaction that ends in between is then only counted as running.
        long end = IdLayout.DEFAULT.firstId(watermark.get());
        if (end <= next) {
            return List.of();
        }
        List<Long> ids = jdbc.queryForList(
                "SELECT id FROM purchase WHERE id >= ? AND id < ? ORDER BY id", Long.class, next, end);
        next = end;
        return ids;
    }

    /** Returns a supplier of the time before which all IDs are committed, on any database. */
    static Supplier<Instant> byTime(Clock clock, Duration clockSkew, Duration longestCommit) {
        return () -> clock.instant().minus(clockSkew).minus(longestCommit);
    }

    /** Returns a supplier of the time before which all IDs are committed, on PostgreSQL. */
    static Supplier<Instant> byTransactions(JdbcTemplate jdbc, Duration clockSkew, Duration longestBeforeTransaction) {
        String oldest = """
                SELECT min(CASE WHEN query = '<insufficient privilege>' THEN '-infinity' ELSE xact_start END)
                FROM pg_stat_activity
                WHERE datname = current_database() AND backend_type IS DISTINCT FROM 'autovacuum worker'
                """;
        return () -> jdbc.queryForObject(oldest, OffsetDateTime.class)
                .toInstant()
                .minus(clockSkew)
                .minus(longestBeforeTransaction);
    }
}
