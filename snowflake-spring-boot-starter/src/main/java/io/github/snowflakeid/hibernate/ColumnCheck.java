package io.github.snowflakeid.hibernate;

import io.github.snowflakeid.internal.mapping.NarrowColumn;
import org.hibernate.HibernateException;
import org.hibernate.StatelessSession;
import org.hibernate.cfg.AvailableSettings;
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

    /** Reads nothing if Hibernate must not either, for example because the database may be unavailable at startup. */
    void check() {
        Object mayRead = factory.getProperties().get(AvailableSettings.ALLOW_METADATA_ON_BOOT);
        if (mayRead == null || Boolean.parseBoolean(mayRead.toString())) {
            factory.getMappingMetamodel().forEachEntityDescriptor(this::check);
        }
    }

    private void check(EntityPersister entity) {
        @Nullable IdAttribute id = entity.isInherited() ? null : idOf(entity.getGenerator());
        if (id != null
                && id.ids() != null
                && NarrowColumn.mustBeWide(id.type(), id.ids().get())) {
            entity.getIdentifierMapping()
                    .forEachSelectable((index, column) -> check(new NarrowColumn(
                            id.name(), column.getSelectionExpression(), column.getContainingTableExpression())));
        }
    }

    private static @Nullable IdAttribute idOf(@Nullable Generator generator) {
        return generator instanceof AnnotatedIdGenerator annotated
                ? annotated.attribute()
                : generator instanceof NamedIdGenerator named ? named.attribute() : null;
    }

    private void check(NarrowColumn column) {
        try (StatelessSession session = factory.openStatelessSession()) {
            session.doWork(column::warn);
        } catch (HibernateException e) {
            // The session may need a tenant.
        }
    }
}
