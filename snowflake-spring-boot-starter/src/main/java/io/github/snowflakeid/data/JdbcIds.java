package io.github.snowflakeid.data;

import java.util.Objects;
import java.util.OptionalLong;
import org.springframework.beans.factory.SmartInitializingSingleton;
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

    @Override
    public Object onBeforeConvert(Object aggregate) {
        IdAssignment assignment = IdAssignment.ofAggregate(aggregate, entities);
        assignment.fill(ids -> OptionalLong.of(ids.nextId()));
        if (assignment.hadEmptyId()) {
            entities.rememberFilled(Objects.requireNonNull(assignment.id()));
        }
        return assignment.saved();
    }
}
