package io.github.snowflakeid.data;

import java.util.Objects;
import java.util.OptionalLong;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.core.Ordered;
import org.springframework.data.relational.core.mapping.event.BeforeConvertCallback;

/**
 * Sets IDs in aggregates that Spring Data JDBC saves. Spring Data calls it after the decision between insert and update, so IDs that are
 * set here do not change that decision.
 */
final class JdbcIds implements BeforeConvertCallback<Object>, SmartInitializingSingleton {

    private final AnnotatedEntities entities;

    JdbcIds(AnnotatedEntities entities) {
        this.entities = entities;
    }

    @Override
    public void afterSingletonsInstantiated() {
        entities.check();
    }

    /** Runs after callbacks of the application, which may have added objects without IDs. */
    @Override
    public Object onBeforeConvert(Object aggregate) {
        return withIds(aggregate, false);
    }

    private Object withIds(Object aggregate, boolean isEarly) {
        IdAssignment assignment = IdAssignment.ofAggregate(aggregate, entities, isEarly);
        assignment.fill(ids -> OptionalLong.of(ids.nextId()));
        if (assignment.hadEmptyId()) {
            entities.rememberFilled(Objects.requireNonNull(assignment.id()));
        }
        return assignment.saved();
    }

    /** Runs before callbacks of the application that have no order, so that they see the IDs, and after auditing, which must not. */
    record Early(JdbcIds ids) implements BeforeConvertCallback<Object>, Ordered {

        @Override
        public int getOrder() {
            return LOWEST_PRECEDENCE - 1;
        }

        @Override
        public Object onBeforeConvert(Object aggregate) {
            return ids.withIds(aggregate, true);
        }
    }
}
