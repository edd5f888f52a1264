package io.github.snowflakeid.data;

import io.github.snowflakeid.internal.mapping.NarrowColumn;
import java.util.List;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.Environment;
import org.springframework.data.relational.core.dialect.Dialect;
import org.springframework.data.relational.core.sql.IdentifierProcessing;

/** Checks the columns of IDs in the database. */
record JdbcColumnCheck(ConfigurableListableBeanFactory beans) {

    void check(List<Plan> plans) {
        @Nullable Dialect dialect = beans.getBeanProvider(Dialect.class).getIfUnique();
        @Nullable DataSource database = beans.getBeanProvider(DataSource.class).getIfUnique();
        // With several databases, it is unknown which one has the table. A configured dialect lets an application start
        // without a database.
        if (dialect != null
                && !beans.getBean(ConfigurableApplicationContext.ENVIRONMENT_BEAN_NAME, Environment.class)
                        .containsProperty("spring.data.jdbc.dialect")) {
            IdentifierProcessing sql = dialect.getIdentifierProcessing();
            NarrowColumn.warn(
                    plans.stream().flatMap(plan -> columnsOf(plan, sql)).toList(), database);
        }
    }

    private static Stream<NarrowColumn> columnsOf(Plan plan, IdentifierProcessing sql) {
        return plan.annotatedId().stream()
                .filter(id -> NarrowColumn.mustBeWide(id.type(), id.ids()))
                .map(id -> new NarrowColumn(
                        "'" + id.property().getName() + "' of " + plan.entity().getName(),
                        id.property().getColumnName().toSql(sql),
                        plan.entity().getQualifiedTableName().toSql(sql)));
    }
}
