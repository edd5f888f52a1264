package io.github.snowflakeid.data;

import io.github.snowflakeid.SnowflakeId;
import org.springframework.dao.InvalidDataAccessApiUsageException;
import org.springframework.data.jdbc.core.convert.DataAccessStrategy;
import org.springframework.data.jdbc.core.convert.DelegatingDataAccessStrategy;
import org.springframework.data.jdbc.core.mapping.JdbcMappingContext;
import org.springframework.data.relational.core.mapping.RelationalPersistentEntity;
import org.springframework.data.relational.core.mapping.RelationalPersistentProperty;

/**
 * Refuses updates that change no row, of entities whose id is annotated. Spring Data ignores them, so a row whose id was set by
 * hand would be lost: what has an id is taken for a row that is there.
 */
final class CheckedUpdates extends DelegatingDataAccessStrategy {

    private final Iterable<JdbcMappingContext> contexts;

    CheckedUpdates(DataAccessStrategy strategy, Iterable<JdbcMappingContext> contexts) {
        super(strategy);
        this.contexts = contexts;
    }

    @Override
    public <S> boolean update(S instance, Class<S> domainType) {
        if (super.update(instance, domainType)) {
            return true;
        }
        for (JdbcMappingContext context : contexts) {
            if (context.hasPersistentEntityFor(domainType)) {
                refuseIfAnnotated(instance, context.getRequiredPersistentEntity(domainType));
            }
        }
        return false;
    }

    private static void refuseIfAnnotated(Object instance, RelationalPersistentEntity<?> entity) {
        RelationalPersistentProperty id = entity.getIdProperty();
        if (id != null && id.isAnnotationPresent(SnowflakeId.class)) {
            throw new InvalidDataAccessApiUsageException(
                    "%s with id %s was not saved: Spring Data updates what has an id already, but there is no such row. To insert a new one, leave '%s' unset, then @SnowflakeId sets it; or call JdbcAggregateTemplate.insert"
                            .formatted(
                                    entity.getName(),
                                    entity.getIdentifierAccessor(instance).getIdentifier(),
                                    id.getName()));
        }
    }
}
