package io.github.snowflakeid.data;

import io.github.snowflakeid.IdGenerator;
import io.github.snowflakeid.data.UnsavedRows.Changes;
import io.github.snowflakeid.data.UnsavedRows.Row;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.core.Ordered;
import org.springframework.data.r2dbc.mapping.event.BeforeConvertCallback;
import org.springframework.data.relational.core.sql.SqlIdentifier;
import org.springframework.transaction.NoTransactionException;
import org.springframework.transaction.reactive.TransactionSynchronization;
import org.springframework.transaction.reactive.TransactionSynchronizationManager;
import org.springframework.util.ClassUtils;
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
        Mono<Object> filled;
        try {
            filled = Mono.just(assignment.fill(ids -> ids.tryNextId().orElseThrow()));
        } catch (NoSuchElementException e) {
            filled = Mono.fromSupplier(() -> assignment.fill(IdGenerator::nextId))
                    .subscribeOn(Schedulers.boundedElastic());
        }
        return filled.delayUntil(this::joinTransaction);
    }

    /** Lets the end of the transaction, if there is one, decide whether the row is stored. */
    private Mono<?> joinTransaction(Object filled) {
        @Nullable Row row = entities.unsaved().find(filled, entities.planFor(ClassUtils.getUserClass(filled)));
        return row == null
                ? Mono.empty()
                : TransactionSynchronizationManager.forCurrentTransaction()
                        .filter(TransactionSynchronizationManager::isActualTransactionActive)
                        .doOnNext(transaction -> changesOf(transaction).add(row))
                        .onErrorResume(NoTransactionException.class, e -> Mono.fromRunnable(row::keepId));
    }

    private Changes changesOf(TransactionSynchronizationManager transaction) {
        for (TransactionSynchronization each : transaction.getSynchronizations()) {
            if (each instanceof End end) {
                return end.changes();
            }
        }
        Changes changes = entities.unsaved().new Changes();
        transaction.registerSynchronization(new End(changes));
        return changes;
    }

    private record End(Changes changes) implements TransactionSynchronization {

        @Override
        public Mono<Void> beforeCommit(boolean readOnly) {
            return Mono.fromRunnable(() -> changes.beforeCommit(readOnly));
        }

        @Override
        public Mono<Void> afterCompletion(int status) {
            return Mono.fromRunnable(() -> changes.afterCompletion(status));
        }
    }
}
