package io.github.snowflakeid.data;

import io.github.snowflakeid.IdGenerator;
import io.github.snowflakeid.data.AnnotatedEntities.Plan;
import io.github.snowflakeid.internal.mapping.IdGenerators;
import java.util.OptionalLong;
import org.reactivestreams.Publisher;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.data.r2dbc.mapping.R2dbcMappingContext;
import org.springframework.data.r2dbc.mapping.event.BeforeConvertCallback;
import org.springframework.data.relational.core.sql.SqlIdentifier;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * Gives ids to entities that Spring Data R2DBC saves. The thread of an event loop never waits for one: where it would have to,
 * another thread does.
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

    @Override
    public Publisher<Object> onBeforeConvert(Object entity, SqlIdentifier table) {
        IdAssignment filling = IdAssignment.ofAggregate(entity, entities);
        if (filling.fill(IdGenerator::tryNextId)) {
            return Mono.just(filling.saved());
        }
        return Mono.fromSupplier(() -> waitFor(filling)).subscribeOn(Schedulers.boundedElastic());
    }

    private static Object waitFor(IdAssignment filling) {
        filling.fill(ids -> OptionalLong.of(ids.nextId()));
        return filling.saved();
    }
}
