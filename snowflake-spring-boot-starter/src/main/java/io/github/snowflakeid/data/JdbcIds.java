package io.github.snowflakeid.data;

import io.github.snowflakeid.data.AnnotatedEntities.Plan;
import io.github.snowflakeid.internal.mapping.NarrowColumn;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.Ordered;
import org.springframework.core.env.Environment;
import org.springframework.data.relational.core.dialect.Dialect;
import org.springframework.data.relational.core.mapping.event.BeforeConvertCallback;
import org.springframework.data.relational.core.sql.IdentifierProcessing;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.jdbc.core.namedparam.NamedParameterJdbcOperations;

/**
 * Sets IDs in aggregates that Spring Data JDBC saves. Spring Data calls it after the decision between insert and
 * update, so IDs that are set here do not change that decision.
 */
final class JdbcIds implements BeforeConvertCallback<Object>, SmartInitializingSingleton {

    private final AnnotatedEntities entities;
    private final ConfigurableListableBeanFactory beans;

    JdbcIds(AnnotatedEntities entities, ConfigurableListableBeanFactory beans) {
        this.entities = entities;
        this.beans = beans;
    }

    @Override
    public void afterSingletonsInstantiated() {
        List<Plan> plans = entities.check();
        @Nullable Dialect dialect = beans.getBeanProvider(Dialect.class).getIfUnique();
        @Nullable
        NamedParameterJdbcOperations jdbc =
                beans.getBeanProvider(NamedParameterJdbcOperations.class).getIfUnique();
        // With several databases, it is unknown which one has the table. A configured dialect lets an application start
        // without a database.
        if (dialect != null
                && jdbc != null
                && beans.getBean(Environment.class).getProperty("spring.data.jdbc.dialect") == null) {
            List<NarrowColumn> columns = plans.stream()
                    .flatMap(plan -> columnsOf(plan, dialect.getIdentifierProcessing()))
                    .toList();
            if (!columns.isEmpty()) {
                check(columns, jdbc.getJdbcOperations());
            }
        }
    }

    private static Stream<NarrowColumn> columnsOf(Plan plan, IdentifierProcessing sql) {
        return plan.attributes().stream()
                .filter(attribute -> attribute.property().isIdProperty()
                        && NarrowColumn.mustBeWide(attribute.type(), attribute.ids()))
                .map(attribute -> new NarrowColumn(
                        "'" + attribute.property().getName() + "' of "
                                + plan.entity().getName(),
                        attribute.property().getColumnName().toSql(sql),
                        plan.entity().getQualifiedTableName().toSql(sql)));
    }

    private static void check(List<NarrowColumn> columns, JdbcOperations jdbc) {
        try {
            jdbc.execute((ConnectionCallback<@Nullable Void>) connection -> {
                NarrowColumn.warn(columns, connection);
                return null;
            });
        } catch (RuntimeException e) {
            // The database may be unavailable, and a DataSource of the application may fail at startup.
        }
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

    /**
     * Runs before callbacks of the application that have no order, so that they see the IDs, and after auditing, which
     * must not.
     */
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
