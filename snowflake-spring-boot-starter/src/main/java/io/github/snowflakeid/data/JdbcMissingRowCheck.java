package io.github.snowflakeid.data;

import io.github.snowflakeid.IdGenerator;
import io.github.snowflakeid.data.UnsavedRows.Changes;
import io.github.snowflakeid.data.UnsavedRows.Row;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.InvalidDataAccessApiUsageException;
import org.springframework.dao.NonTransientDataAccessResourceException;
import org.springframework.dao.QueryTimeoutException;
import org.springframework.dao.RecoverableDataAccessException;
import org.springframework.dao.TransientDataAccessResourceException;
import org.springframework.dao.UncategorizedDataAccessException;
import org.springframework.data.jdbc.core.convert.DataAccessStrategy;
import org.springframework.data.jdbc.core.convert.DelegatingDataAccessStrategy;
import org.springframework.data.jdbc.core.convert.Identifier;
import org.springframework.data.jdbc.core.convert.InsertSubject;
import org.springframework.data.relational.core.conversion.IdValueSource;
import org.springframework.data.relational.core.sql.SqlIdentifier;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.util.ClassUtils;

/**
 * Checks rows when it is certain whether they are inserted or updated:
 *
 * <ul>
 *   <li>If the ID of an entity is annotated, an update that changes no row is rejected. Spring Data treats an object
 *       whose ID is set as an existing row and ignores that the update changed nothing, so an object whose ID the
 *       application has set would be lost.
 *   <li>If {@link UnsavedRows} has the object, Spring Data issues an update as well. The row is inserted here instead.
 *   <li>If an object is inserted with an ID that the application has set, {@link JdbcIds} did not treat it as new. Its
 *       other annotated attributes get their IDs here.
 * </ul>
 */
final class JdbcMissingRowCheck extends DelegatingDataAccessStrategy {

    private final AnnotatedEntities entities;

    JdbcMissingRowCheck(DataAccessStrategy strategy, AnnotatedEntities entities) {
        super(strategy);
        this.entities = entities;
    }

    @Override
    public <T> @Nullable Object insert(
            T instance, Class<T> domainType, Identifier identifier, IdValueSource idValueSource) {
        @Nullable Row row = prepare(instance, identifier, idValueSource);
        try {
            @Nullable Object id = super.insert(instance, domainType, identifier, idValueSource);
            end(row, true);
            return id;
        } catch (RuntimeException e) {
            if (row != null && isRejected(e)) {
                row.forget();
            } else {
                end(row, false);
            }
            throw e;
        }
    }

    @Override
    public <T> Object[] insert(List<InsertSubject<T>> subjects, Class<T> domainType, IdValueSource idValueSource) {
        List<Row> rows = new ArrayList<>();
        for (InsertSubject<T> subject : subjects) {
            @Nullable Row row = prepare(subject.getInstance(), subject.getIdentifier(), idValueSource);
            if (row != null) {
                rows.add(row);
            }
        }
        boolean isStored = false;
        try {
            Object[] ids = super.insert(subjects, domainType, idValueSource);
            isStored = true;
            return ids;
        } finally {
            // A batch that failed may have stored some of its rows.
            for (Row row : rows) {
                end(row, isStored);
            }
        }
    }

    @SuppressWarnings(
            "ReferenceEquality") // A changed copy does not reach the application, even if it equals the object.
    private @Nullable Row prepare(Object instance, Identifier identifier, IdValueSource idValueSource) {
        Plan plan = entities.planFor(ClassUtils.getUserClass(instance));
        Set<String> keys = identifier.toMap().keySet().stream()
                .map(SqlIdentifier::getReference)
                .collect(Collectors.toSet());
        if (idValueSource == IdValueSource.GENERATED
                && plan.annotatedId().isPresent()
                && !keys.contains(
                        plan.entity().getRequiredIdProperty().getColumnName().getReference())) {
            throw new InvalidDataAccessApiUsageException(
                    "%s was not inserted: '%s' is not set, because the JdbcAggregateTemplate has no entity callbacks, or because a BeforeSaveCallback or an event listener has added the object. Create the template with the ApplicationContext as the first argument, and add objects in a BeforeConvertCallback"
                            .formatted(instance.getClass().getName(), plan.idAttribute()));
        }
        if (IdAssignment.ofRow(instance, entities, keys).fill(IdGenerator::nextId) != instance) {
            throw new InvalidDataAccessApiUsageException(
                    "%s was not inserted: its ID is set but another attribute with @SnowflakeId is not, and the object cannot be changed. Set all attributes with @SnowflakeId"
                            .formatted(instance.getClass().getName()));
        }
        return entities.unsaved().find(instance, plan);
    }

    /** Returns whether the database has certainly stored nothing. */
    private static boolean isRejected(RuntimeException e) {
        return !(e instanceof RecoverableDataAccessException
                || e instanceof TransientDataAccessResourceException
                || e instanceof QueryTimeoutException
                || e instanceof UncategorizedDataAccessException
                || e instanceof NonTransientDataAccessResourceException);
    }

    /** Called after an insert or update. In a transaction, its end decides. */
    private void end(@Nullable Row row, boolean isStored) {
        if (row != null) {
            if (TransactionSynchronizationManager.isSynchronizationActive()
                    && TransactionSynchronizationManager.isActualTransactionActive()) {
                changes().add(row);
            } else if (!isStored) {
                row.keepId();
            }
            if (isStored) {
                row.stored();
            }
        }
    }

    private Changes changes() {
        for (TransactionSynchronization each : TransactionSynchronizationManager.getSynchronizations()) {
            if (each instanceof Changes changes) {
                return changes;
            }
        }
        Changes changes = entities.unsaved().new Changes();
        TransactionSynchronizationManager.registerSynchronization(changes);
        return changes;
    }

    /**
     * Queries the row before it rejects an update, because some drivers do not count rows whose values stay the same,
     * and because Spring Data updates nothing if the ID is the only attribute.
     */
    @Override
    public <S> boolean update(S instance, Class<S> domainType) {
        Plan plan = entities.planFor(domainType);
        @Nullable Row row = entities.unsaved().find(instance, plan);
        boolean isUnsaved = row != null && row.isUnsaved();
        boolean isUpdated = super.update(instance, domainType);
        if (isUpdated && !isUnsaved) {
            return true;
        }
        Object id = plan.idOf(instance);
        if (plan.hasAnnotatedId() && (id == null || !existsById(id, domainType))) {
            if (!isUnsaved) {
                throw plan.noSuchRow(instance, "JdbcAggregateTemplate.insert");
            }
            super.insert(instance, domainType, Identifier.empty(), IdValueSource.PROVIDED);
        }
        end(row, true);
        return isUpdated || isUnsaved;
    }
}
