package io.github.snowflakeid.hibernate;

import io.github.snowflakeid.internal.mapping.NarrowColumn;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.hibernate.cfg.AvailableSettings;
import org.hibernate.engine.jdbc.connections.spi.JdbcConnectionAccess;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.generator.Generator;
import org.hibernate.persister.entity.EntityPersister;
import org.jspecify.annotations.Nullable;

/**
 * Checks the columns of IDs in the database.
 *
 * @param factory the factory of the entities
 */
record ColumnCheck(SessionFactoryImplementor factory) {

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
            if (!columns.isEmpty()) {
                check(columns);
            }
        }
    }

    private static void addColumns(EntityPersister entity, List<NarrowColumn> columns) {
        @Nullable IdAttribute id = entity.isInherited() ? null : idOf(entity.getGenerator());
        if (id != null
                && id.ids() != null
                && NarrowColumn.mustBeWide(id.type(), id.ids().get())) {
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

    /** Uses no session, which may need a tenant. */
    private void check(List<NarrowColumn> columns) {
        JdbcConnectionAccess connections = factory.getJdbcServices().getBootstrapJdbcConnectionAccess();
        try {
            Connection connection = connections.obtainConnection();
            try {
                NarrowColumn.warn(columns, connection);
            } finally {
                connections.releaseConnection(connection);
            }
        } catch (SQLException | RuntimeException e) {
            // The database may be unavailable, and a DataSource of the application may fail at startup.
        }
    }
}
