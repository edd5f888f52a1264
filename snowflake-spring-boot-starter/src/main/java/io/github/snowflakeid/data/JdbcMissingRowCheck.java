package io.github.snowflakeid.data;

import io.github.snowflakeid.IdGenerator;
import io.github.snowflakeid.data.AnnotatedEntities.Plan;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.InvalidDataAccessApiUsageException;
import org.springframework.data.jdbc.core.convert.DataAccessStrategy;
import org.springframework.data.jdbc.core.convert.DelegatingDataAccessStrategy;
import org.springframework.data.jdbc.core.convert.Identifier;
import org.springframework.data.jdbc.core.convert.InsertSubject;
import org.springframework.data.relational.core.conversion.IdValueSource;
import org.springframework.util.ClassUtils;

/**
 * Checks rows when it is certain whether they are inserted or updated:
 *
 * <ul>
 *   <li>If the ID of an entity is annotated, an update that changes no row is rejected. Spring Data treats an object
 *       whose ID is set as an existing row and ignores that the update changed nothing, so an object whose ID the
 *       application has set would be lost.
 *   <li>If an ID object was empty, Spring Data issues an update as well. The row is inserted here instead.
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
        fill(instance);
        return super.insert(instance, domainType, identifier, idValueSource);
    }

    @Override
    public <T> Object[] insert(List<InsertSubject<T>> subjects, Class<T> domainType, IdValueSource idValueSource) {
        for (InsertSubject<T> subject : subjects) {
            fill(subject.getInstance());
        }
        return super.insert(subjects, domainType, idValueSource);
    }

    @SuppressWarnings(
            "ReferenceEquality") // A changed copy does not reach the application, even if it equals the object.
    private void fill(Object instance) {
        Object filled = IdAssignment.ofRow(instance, entities).fill(IdGenerator::nextId);
        Object id = entities.planFor(ClassUtils.getUserClass(instance)).idOf(filled);
        if (id != null) {
            entities.forgetFilled(id);
        }
        if (filled != instance) {
            throw new InvalidDataAccessApiUsageException(
                    "%s was not inserted: its ID is set but another attribute with @SnowflakeId is not, and the object cannot be changed. Set all attributes with @SnowflakeId"
                            .formatted(instance.getClass().getName()));
        }
    }

    /**
     * Queries the row before it rejects an update, because some drivers do not count rows whose values stay the same.
     */
    @Override
    public <S> boolean update(S instance, Class<S> domainType) {
        if (super.update(instance, domainType)) {
            return true;
        }
        Plan plan = entities.planFor(domainType);
        Object id = plan.idOf(instance);
        if (plan.hasAnnotatedId() && (id == null || !existsById(id, domainType))) {
            if (id != null && entities.forgetFilled(id)) {
                super.insert(instance, domainType, Identifier.empty(), IdValueSource.PROVIDED);
                return true;
            }
            throw plan.noSuchRow(instance, "JdbcAggregateTemplate.insert");
        }
        return false;
    }
}
