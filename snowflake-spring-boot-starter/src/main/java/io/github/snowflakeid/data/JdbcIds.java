package io.github.snowflakeid.data;

import java.util.Objects;
import java.util.OptionalLong;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.data.relational.core.mapping.event.BeforeConvertCallback;

/**
 * Gives ids to aggregates that Spring Data JDBC saves. It is called after the decision between insert and update, so an id that is
 * set here does not change it.
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
        IdAssignment filling = IdAssignment.ofAggregate(aggregate, entities);
        filling.fill(ids -> OptionalLong.of(ids.nextId()));
        if (filling.hadEmptyId()) {
            entities.rememberFilled(Objects.requireNonNull(filling.id()));
        }
        return filling.saved();
    }
}
