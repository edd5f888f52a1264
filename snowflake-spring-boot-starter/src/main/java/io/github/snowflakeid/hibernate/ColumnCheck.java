package io.github.snowflakeid.hibernate;

import io.github.snowflakeid.internal.mapping.NarrowColumn;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.sql.DataSource;
import org.hibernate.cfg.AvailableSettings;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.generator.Generator;
import org.hibernate.persister.entity.EntityPersister;
import org.jspecify.annotations.Nullable;

/**
 * Checks the columns of IDs in the database.
 *
 * @param factory the factory of the entities
 * @param database the database; null if it is unknown
 */
record ColumnCheck(
        SessionFactoryImplementor factory, @Nullable DataSource database) {

    /** The settings with which Hibernate creates all tables. */
    private static final Set<String> CREATED = Set.of("create", "create-drop");

    /**
     * Reads nothing if Hibernate has created the tables itself, or if it must not read either, for example because the
     * database may be unavailable at startup.
     */
    void check() {
        Map<String, Object> settings = factory.getProperties();
        String schema = String.valueOf(settings.get(AvailableSettings.HBM2DDL_AUTO));
        Object mayRead = settings.get(AvailableSettings.ALLOW_METADATA_ON_BOOT);
        if (!CREATED.contains(schema) && (mayRead == null || Boolean.parseBoolean(mayRead.toString()))) {
            List<NarrowColumn> columns = new ArrayList<>();
            factory.getMappingMetamodel().forEachEntityDescriptor(entity -> addColumns(entity, columns));
            NarrowColumn.warn(columns, database);
        }
    }

    private static void addColumns(EntityPersister entity, List<NarrowColumn> columns) {
        @Nullable IdAttribute id = entity.isInherited() ? null : idOf(entity.getGenerator());
        if (id != null && NarrowColumn.mustBeWide(id.type(), id.ids().get())) {
            entity.getIdentifierMapping()
                    .forEachSelectable((index, column) -> columns.add(new NarrowColumn(
                            id.name(), column.getSelectionExpression(), column.getContainingTableExpression())));
        }
    }

    private static @Nullable IdAttribute idOf(@Nullable Generator generator) {
        return generator instanceof AnnotatedIdGenerator annotated
                ? annotated.attribute()
                : generator instanceof NamedIdGenerator named ? named.attribute() : null;
    }
}
