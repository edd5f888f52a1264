package io.github.snowflakeid.data;

import io.github.snowflakeid.IdGenerator;
import org.springframework.core.Ordered;
import org.springframework.data.relational.core.mapping.event.BeforeConvertCallback;

/**
 * Sets IDs in aggregates that Spring Data JDBC saves. Spring Data calls it after the decision between insert and
 * update, so IDs that are set here do not change that decision.
 *
 * @param isEarly whether it runs before callbacks of the application that have no order, so that they see the IDs, and
 *     after auditing, which must not; else it runs after them, because they may have added objects without IDs
 */
record JdbcIds(AnnotatedEntities entities, boolean isEarly) implements BeforeConvertCallback<Object>, Ordered {

    @Override
    public int getOrder() {
        return isEarly ? LOWEST_PRECEDENCE - 1 : LOWEST_PRECEDENCE;
    }

    @Override
    public Object onBeforeConvert(Object aggregate) {
        return IdAssignment.ofAggregate(aggregate, entities).fill(IdGenerator::nextId);
    }
}
