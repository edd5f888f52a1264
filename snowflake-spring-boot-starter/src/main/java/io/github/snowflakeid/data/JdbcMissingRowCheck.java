package io.github.snowflakeid.data;

import io.github.snowflakeid.data.AnnotatedEntities.Plan;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.InvalidDataAccessApiUsageException;
import org.springframework.data.jdbc.core.convert.DataAccessStrategy;
import org.springframework.data.jdbc.core.convert.DelegatingDataAccessStrategy;
import org.springframework.data.jdbc.core.convert.Identifier;
import org.springframework.data.jdbc.core.convert.InsertSubject;
import org.springframework.data.relational.core.conversion.IdValueSource;

/**
 * Looks at rows when it is certain whether they are inserted or updated.
 *
 * <p>An update that changes no row, of an entity whose id is annotated, is refused. Spring Data ignores it, so a row whose id was
 * set by hand would be lost: what has an id is taken for a row that is there.
 *
 * <p>An object whose ID was an object that held nothing is updated by Spring Data as well. It is inserted here.
 *
 * <p>A row that is inserted with an id of its own was not taken for a new one before, so its other attributes get their ids here.
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

    @SuppressWarnings("ReferenceEquality") // A copy may equal the object, but is not what the application has.
    private void fill(Object instance) {
        IdAssignment row = IdAssignment.ofRow(instance, entities);
        row.fill(ids -> OptionalLong.of(ids.nextId()));
        Object id = row.id();
        if (id != null) {
            entities.forgetFilled(id);
        }
        if (row.saved() != instance) {
            throw new InvalidDataAccessApiUsageException(
                    "%s cannot be changed, and was not taken for new, since it has an id: set its other attributes with @SnowflakeId as well"
                            .formatted(instance.getClass().getName()));
        }
    }

    /** Asks the database before it refuses, as some drivers count no row that stays as it is. */
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
