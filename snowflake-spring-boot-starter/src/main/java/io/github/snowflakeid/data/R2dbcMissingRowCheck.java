package io.github.snowflakeid.data;

import io.github.snowflakeid.data.AnnotatedEntities.Plan;
import java.util.List;
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
 * Rejects an update of a row that does not exist, of an entity whose ID is annotated: otherwise a row whose ID was set by hand would
 * be lost. An entity with a version is left to Spring Data, which looks itself.
 */
final class R2dbcMissingRowCheck implements AfterSaveCallback<Object>, Ordered {

    private final R2dbcIds ids;
    private final ObjectProvider<R2dbcEntityTemplate> templates;

    R2dbcMissingRowCheck(R2dbcIds ids, ObjectProvider<R2dbcEntityTemplate> templates) {
        this.ids = ids;
        this.templates = templates;
    }

    /** Before all others, which do not expect an entity that was not saved. */
    @Override
    public int getOrder() {
        return HIGHEST_PRECEDENCE;
    }

    @Override
    public Publisher<Object> onAfterSave(Object saved, OutboundRow row, SqlIdentifier table) {
        Class<?> type = ClassUtils.getUserClass(saved);
        Plan plan = ids.planFor(type);
        List<R2dbcEntityTemplate> all = templates.stream().toList();
        // Of several, for several databases, none says that it has saved the row.
        if (!plan.hasAnnotatedId() || plan.entity().hasVersionProperty() || all.size() != 1) {
            return Mono.just(saved);
        }
        R2dbcEntityTemplate template = all.get(0);
        // An update takes the ID out of the row.
        if (row.keySet().containsAll(template.getDataAccessStrategy().getIdentifierColumns(type))) {
            return Mono.just(saved);
        }
        Criteria isSaved = Criteria.where(plan.idAttribute()).is(plan.idOf(saved));
        return template.exists(Query.query(isSaved), type)
                .flatMap(exists -> exists
                        ? Mono.just(saved)
                        : Mono.error(() -> plan.noSuchRow(saved, "R2dbcEntityTemplate.insert")));
    }
}
