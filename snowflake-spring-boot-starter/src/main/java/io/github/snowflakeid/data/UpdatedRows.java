package io.github.snowflakeid.data;

import io.r2dbc.spi.Result;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.springframework.data.r2dbc.core.R2dbcEntityOperations;
import org.springframework.data.relational.core.query.Criteria;
import org.springframework.data.relational.core.query.Query;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * What the update of one entity has changed, in the Reactor context of that update. Callbacks may run statements of their own in that
 * context, but only before the update itself or after the check, so the last statement counts.
 *
 * <p>For use by one subscription; its signals may come on any thread, one after the other.
 */
final class UpdatedRows {

    private final R2dbcEntityOperations operations;
    private final Class<?> type;
    private final AtomicLong ofLastStatement = new AtomicLong();

    UpdatedRows(R2dbcEntityOperations operations, Class<?> type) {
        this.operations = operations;
        this.type = type;
    }

    /** Counts the rows of a statement that is about to run. */
    Flux<Result> count(Flux<Result> results) {
        ofLastStatement.set(0);
        return results.map(result -> new CountedResult(result, ofLastStatement::addAndGet));
    }

    /** Whether it is this class that is updated, and not another one that a callback saves meanwhile. */
    boolean isOf(Class<?> saved) {
        return type == saved;
    }

    /**
     * Whether there is such a row. Asks the database only if none was counted: some count no row that stays as it is, and statements of
     * a {@code DatabaseClient} that is no bean are not counted at all.
     */
    Mono<Boolean> isThere(String idAttribute, @Nullable Object id) {
        if (ofLastStatement.get() > 0 || id == null) {
            return Mono.just(id != null);
        }
        return operations.exists(Query.query(Criteria.where(idAttribute).is(id)), type);
    }
}
