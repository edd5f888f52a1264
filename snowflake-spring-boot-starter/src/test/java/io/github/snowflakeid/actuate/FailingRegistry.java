package io.github.snowflakeid.actuate;

import io.github.snowflakeid.WorkerRegistry;
import io.github.snowflakeid.jdbc.InitializeSchema;
import io.github.snowflakeid.jdbc.JdbcWorkerRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.h2.jdbcx.JdbcDataSource;
import org.jspecify.annotations.Nullable;

/** An in-memory registry that fails on demand. */
public final class FailingRegistry implements WorkerRegistry {

    /** Runs before each call except {@code namespace()}. The call throws its exceptions. */
    @FunctionalInterface
    public interface Before {
        /** May block. */
        void call(String name) throws InterruptedException;
    }

    private final JdbcWorkerRegistry target;
    private volatile Duration ahead = Duration.ZERO;
    private volatile @Nullable Instant stopped;
    private volatile Before before = call -> {};

    public FailingRegistry() {
        JdbcDataSource database = new JdbcDataSource();
        database.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
        target = new JdbcWorkerRegistry(database, "snowflake_worker", "default")
                .initializeSchema(InitializeSchema.ALWAYS);
        target.read();
    }

    public void fail(boolean whether) {
        before(call -> {
            if (whether) {
                throw new IllegalStateException("no answer");
            }
        });
    }

    public void clockAhead(Duration by) {
        ahead = by;
    }

    public void stopClock(Instant at) {
        stopped = at;
    }

    public void before(Before next) {
        before = next;
    }

    private WorkerRegistry on(String call) {
        try {
            before.call(call);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        return target;
    }

    @Override
    public String namespace() {
        return target.namespace();
    }

    @Override
    public Snapshot read() {
        Snapshot seen = on("read").read();
        Instant now = stopped;
        return Snapshot.of(now == null ? seen.now().plus(ahead) : now, seen.entries())
                .withFloor(seen.floor());
    }

    @Override
    public boolean acquire(@Nullable Entry seen, Claim claim, Duration ttl) {
        return on("acquire").acquire(seen, claim, ttl);
    }

    @Override
    public boolean renew(Claim held, Instant reservedUntil, Duration ttl) {
        return on("renew").renew(held, reservedUntil, ttl);
    }

    @Override
    public boolean release(Claim held, Instant reservedUntil) {
        return on("release").release(held, reservedUntil);
    }
}
