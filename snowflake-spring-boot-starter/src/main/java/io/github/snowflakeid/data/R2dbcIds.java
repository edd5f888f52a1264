package io.github.snowflakeid.data;

import io.github.snowflakeid.IdGenerator;
import io.github.snowflakeid.data.AnnotatedEntities.Plan;
import io.github.snowflakeid.internal.mapping.IdGenerators;
import java.util.OptionalLong;
import org.reactivestreams.Publisher;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.Ordered;
import org.springframework.data.r2dbc.mapping.R2dbcMappingContext;
import org.springframework.data.r2dbc.mapping.event.BeforeConvertCallback;
import org.springframework.data.relational.core.sql.SqlIdentifier;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * Sets IDs in entities that Spring Data R2DBC saves. An event loop thread never waits for an ID: if waiting is
 * necessary, another thread waits.
 */
final class R2dbcIds implements BeforeConvertCallback<Object>, SmartInitializingSingleton {

    private final AnnotatedEntities entities;

    R2dbcIds(ConfigurableListableBeanFactory beans) {
        entities = new AnnotatedEntities(beans.getBeanProvider(R2dbcMappingContext.class), new IdGenerators(beans));
    }

    Plan planFor(Class<?> type) {
        return entities.planFor(type);
    }

    @Override
    public void afterSingletonsInstantiated() {
        entities.check();
    }

    /** Runs after callbacks of the application, which may have added objects without IDs. */
    @Override
    public Publisher<Object> onBeforeConvert(Object entity, SqlIdentifier table) {
        return withIds(entity, false);
    }

    private Publisher<Object> withIds(Object entity, boolean isEarly) {
        IdAssignment assignment = IdAssignment.ofAggregate(entity, entities, isEarly);
        if (assignment.fill(IdGenerator::tryNextId)) {
            return Mono.just(assignment.saved());
        }
        return Mono.fromSupplier(() -> waitFor(assignment)).subscribeOn(Schedulers.boundedElastic());
    }

    private static Object waitFor(IdAssignment assignment) {
        assignment.fill(ids -> OptionalLong.of(ids.nextId()));
        return assignment.saved();
    }

    /**
     * Runs before callbacks of the application that have no order, so that they see the IDs, and after auditing, which
     * must not.
     */
    record Early(R2dbcIds ids) implements BeforeConvertCallback<Object>, Ordered {

        @Override
        public int getOrder() {
            return LOWEST_PRECEDENCE - 1;
        }

        @Override
        public Publisher<Object> onBeforeConvert(Object entity, SqlIdentifier table) {
            return ids.withIds(entity, true);
        }
    }
}
