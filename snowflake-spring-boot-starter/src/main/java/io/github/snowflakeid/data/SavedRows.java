package io.github.snowflakeid.data;

import io.github.snowflakeid.data.AnnotatedEntities.Plan;
import org.reactivestreams.Publisher;
import org.springframework.core.Ordered;
import org.springframework.data.r2dbc.mapping.OutboundRow;
import org.springframework.data.r2dbc.mapping.event.AfterSaveCallback;
import org.springframework.data.relational.core.sql.SqlIdentifier;
import org.springframework.util.ClassUtils;
import reactor.core.publisher.Mono;

/**
 * Refuses an update that has changed no row, of an entity whose id is annotated: a row whose id was set by hand would be lost. An
 * entity with a version is left to Spring Data, which looks itself.
 */
final class SavedRows implements AfterSaveCallback<Object>, Ordered {

    private final R2dbcIds ids;

    SavedRows(R2dbcIds ids) {
        this.ids = ids;
    }

    /** Before all others: what was not saved is none of their business. */
    @Override
    public int getOrder() {
        return HIGHEST_PRECEDENCE;
    }

    @Override
    public Publisher<Object> onAfterSave(Object saved, OutboundRow row, SqlIdentifier table) {
        Class<?> type = ClassUtils.getUserClass(saved);
        Plan plan = ids.planFor(type);
        if (!plan.hasAnnotatedId() || plan.entity().hasVersionProperty()) {
            return Mono.just(saved);
        }
        return Mono.deferContextual(context -> context.<UpdatedRows>getOrEmpty(UpdatedRows.class)
                .filter(rows -> rows.isOf(type))
                .map(rows -> rows.isThere(plan.idAttribute(), plan.idOf(saved)))
                .orElse(Mono.just(true))
                .flatMap(isThere -> isThere
                        ? Mono.just(saved)
                        : Mono.error(() -> plan.noSuchRow(saved, "R2dbcEntityTemplate.insert"))));
    }
}
