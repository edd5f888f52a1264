package io.github.snowflakeid.hibernate;

import io.github.snowflakeid.internal.failure.Problem;
import java.util.Objects;
import java.util.Set;
import org.hibernate.boot.spi.InFlightMetadataCollector;
import org.hibernate.mapping.OneToOne;
import org.hibernate.mapping.PersistentClass;
import org.hibernate.mapping.Property;
import org.hibernate.mapping.RootClass;
import org.hibernate.mapping.ToOne;
import org.jspecify.annotations.Nullable;

/**
 * Rejects two entities that are joined by their primary keys if both get new IDs. Their rows would never be found by the
 * association.
 *
 * @param generated the entities that get new IDs
 */
record SharedKeyCheck(InFlightMetadataCollector metadata, Set<RootClass> generated) {

    void check() {
        for (PersistentClass entity : metadata.getEntityBindings()) {
            for (Property property : entity.getProperties()) {
                if (property.getValue() instanceof ToOne other) {
                    check(entity.getRootClass(), property, other);
                }
            }
        }
    }

    private void check(RootClass entity, Property property, ToOne other) {
        boolean isShared = other instanceof OneToOne joined
                ? joined.getMappedByProperty() == null
                : other.getColumns().equals(entity.getIdentifier().getColumns());
        @Nullable PersistentClass target = metadata.getEntityBinding(other.getReferencedEntityName());
        if (isShared
                && other.isReferenceToPrimaryKey()
                && target != null
                && !target.getRootClass().equals(entity)
                && generated.contains(entity)
                && generated.contains(target.getRootClass())) {
            String id = Objects.requireNonNull(entity.getIdentifierProperty()).getName();
            throw Problem.TWO_ORIGINS.exception(
                    "Attribute '%s' of %s has two sources of values: @SnowflakeId and '%s', which joins it with the ID of %s"
                            .formatted(id, entity.getEntityName(), property.getName(), target.getEntityName()),
                    """
                    Let the association set the ID of the entity that depends on the other one:

                    @OneToOne
                    @MapsId
                    private %s %s;""".formatted(target.getMappedClass().getSimpleName(), property.getName()));
        }
    }
}
