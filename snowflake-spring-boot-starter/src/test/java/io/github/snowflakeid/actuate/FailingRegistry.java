package io.github.snowflakeid.actuate;

import io.github.snowflakeid.jdbc.JdbcWorkerRegistry;
import io.github.snowflakeid.worker.WorkerRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.h2.jdbcx.JdbcDataSource;
import org.jspecify.annotations.Nullable;

/** A registry in memory that fails when a test says so. */
public final class FailingRegistry implements WorkerRegistry {

    private final JdbcWorkerRegistry target;
    private volatile boolean fails;
    private volatile Duration ahead = Duration.ZERO;

    public FailingRegistry() {
        JdbcDataSource database = new JdbcDataSource();
        database.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
        target = new JdbcWorkerRegistry(database, "snowflake_worker", "default");
        target.createTable();
    }

    public void fail(boolean whether) {
        fails = whether;
    }

    public void clockAhead(Duration by) {
        ahead = by;
    }

    private WorkerRegistry target() {
        if (fails) {
            throw new IllegalStateException("no answer");
        }
        return target;
    }

    @Override
    public String namespace() {
        return target.namespace();
    }

    @Override
    public Snapshot read() {
        Snapshot seen = target().read();
        return new Snapshot(seen.now().plus(ahead), seen.entries(), seen.floor());
    }

    @Override
    public boolean acquire(@Nullable Entry seen, Claim claim, Duration ttl) {
        return target().acquire(seen, claim, ttl);
    }

    @Override
    public boolean renew(Claim held, Instant reservedUntil, Duration ttl) {
        return target().renew(held, reservedUntil, ttl);
    }

    @Override
    public boolean release(Claim held, Instant reservedUntil) {
        return target().release(held, reservedUntil);
    }
}
