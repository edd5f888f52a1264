package io.github.snowflakeid.data;

import io.github.snowflakeid.data.UnsavedRows.Row;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.core.Ordered;
import org.springframework.data.r2dbc.core.R2dbcEntityTemplate;
import org.springframework.data.r2dbc.mapping.OutboundRow;
import org.springframework.data.r2dbc.mapping.event.AfterSaveCallback;
import org.springframework.data.relational.core.query.Criteria;
import org.springframework.data.relational.core.query.Query;
import org.springframework.data.relational.core.sql.SqlIdentifier;
import org.springframework.util.ClassUtils;
import reactor.core.publisher.Mono;

/**
 * Rejects an update of a row that does not exist if the ID of the entity is annotated. Otherwise, an object whose ID
 * the application has set would be lost. If {@link UnsavedRows} has the object, inserts the row instead. Entities with a
 * version are not checked here, because Spring Data checks them itself.
 */
record R2dbcMissingRowCheck(AnnotatedEntities entities, ObjectProvider<R2dbcEntityTemplate> templates)
        implements AfterSaveCallback<Object>, Ordered {

    /** Runs before all other callbacks, which do not expect an entity that was not saved. */
    @Override
    public int getOrder() {
        return HIGHEST_PRECEDENCE;
    }

    @Override
    public Publisher<Object> onAfterSave(Object saved, OutboundRow row, SqlIdentifier table) {
        Class<?> type = ClassUtils.getUserClass(saved);
        Plan plan = entities.planFor(type);
        List<R2dbcEntityTemplate> all = templates.stream().toList();
        if (!plan.hasAnnotatedId() || all.isEmpty()) {
            return Mono.just(saved);
        }
        R2dbcEntityTemplate template = all.get(0);
        @Nullable Row unsaved = entities.unsaved().find(saved, plan);
        // Only an insert has the ID in its row: an update removes it.
        if (row.keySet().containsAll(template.getDataAccessStrategy().getIdentifierColumns(type))) {
            if (unsaved != null) {
                unsaved.stored();
            }
            return Mono.just(saved);
        }
        // With several templates, for several databases, it is unknown which one saved the row.
        if (plan.entity().hasVersionProperty() || all.size() != 1) {
            return Mono.just(saved);
        }
        Criteria isSaved = Criteria.where(plan.idAttribute()).is(plan.idOf(saved));
        return template.exists(Query.query(isSaved), type).flatMap(exists -> {
            if (exists) {
                return Mono.just(saved);
            }
            return unsaved != null && unsaved.isUnsaved()
                    ? template.insert(saved)
                    : Mono.error(() -> plan.noSuchRow(saved, "R2dbcEntityTemplate.insert"));
        });
    }
}
