package io.github.snowflakeid.data;

import io.github.snowflakeid.IdGenerator;
import java.util.NoSuchElementException;
import org.reactivestreams.Publisher;
import org.springframework.core.Ordered;
import org.springframework.data.r2dbc.mapping.event.BeforeConvertCallback;
import org.springframework.data.relational.core.sql.SqlIdentifier;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * Sets IDs in entities that Spring Data R2DBC saves. An event loop thread never waits for an ID: if waiting is
 * necessary, another thread waits.
 *
 * @param isEarly whether it runs before callbacks of the application that have no order, so that they see the IDs, and
 *     after auditing, which must not; else it runs after them, because they may have added objects without IDs
 */
record R2dbcIds(AnnotatedEntities entities, boolean isEarly) implements BeforeConvertCallback<Object>, Ordered {

    @Override
    public int getOrder() {
        return isEarly ? LOWEST_PRECEDENCE - 1 : LOWEST_PRECEDENCE;
    }

    @Override
    public Publisher<Object> onBeforeConvert(Object entity, SqlIdentifier table) {
        IdAssignment assignment = IdAssignment.ofAggregate(entity, entities);
        try {
            return Mono.just(assignment.fill(ids -> ids.tryNextId().orElseThrow()));
        } catch (NoSuchElementException e) {
            return Mono.fromSupplier(() -> assignment.fill(IdGenerator::nextId))
                    .subscribeOn(Schedulers.boundedElastic());
        }
    }
}
