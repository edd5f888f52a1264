package io.github.snowflakeid.internal.data;

import io.github.snowflakeid.IdGenerator;
import io.github.snowflakeid.SnowflakeId;
import io.github.snowflakeid.failure.ConfigurationException;
import io.github.snowflakeid.internal.failure.Problem;
import io.github.snowflakeid.internal.mapping.IdGenerators;
import io.github.snowflakeid.internal.mapping.IdType;
import io.github.snowflakeid.internal.mapping.MappingErrors;
import io.github.snowflakeid.internal.mapping.SnowflakeIdMember;
import io.github.snowflakeid.internal.mapping.SnowflakeIdMembers;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.data.mapping.PersistentEntity;
import org.springframework.data.mapping.PersistentProperty;

/**
 * Finds the attributes of entities that get IDs. Safe for use by any number of threads.
 *
 * @param <P> the attributes of a Spring Data module
 */
public final class IdProperties<P extends PersistentProperty<P>> {

    private final IdGenerators generators;
    private final SnowflakeIdMembers annotated = new SnowflakeIdMembers();

    /**
     * Creates a finder.
     *
     * @param generators the generators that annotations may name
     */
    public IdProperties(IdGenerators generators) {
        this.generators = generators;
    }

    /**
     * Returns the attributes of an entity that get IDs.
     *
     * @param entity an entity, or an object inside of one
     * @return the attributes
     * @throws ConfigurationException if an annotated attribute would get no IDs
     */
    public List<IdProperty<P>> in(PersistentEntity<?, P> entity) {
        for (String attribute : annotated.in(entity.getType()).keySet()) {
            if (entity.getPersistentProperty(attribute) == null) {
                throw MappingErrors.unmapped(attribute, entity.getName(), "Spring Data");
            }
        }
        List<IdProperty<P>> attributes = new ArrayList<>();
        for (P property : entity) {
            SnowflakeId annotation = annotationOf(property);
            if (annotation != null) {
                attributes.add(attribute(property, annotation, entity.getName()));
            }
        }
        return attributes;
    }

    /**
     * Returns the annotation of an attribute; for an ID in one column also the annotation of its type. Other attributes
     * of the type are foreign keys.
     *
     * @param property an attribute
     * @return the annotation; null if the attribute gets no IDs
     */
    public @Nullable SnowflakeId annotationOf(P property) {
        SnowflakeIdMember member = annotated.in(property.getOwner().getType()).get(property.getName());
        SnowflakeId annotation = member == null ? property.findAnnotation(SnowflakeId.class) : member.annotation();
        if (annotation != null || !property.isIdProperty() || property.isEntity()) {
            return annotation;
        }
        IdType type = IdType.of(property.getType());
        return type == null ? null : type.annotation(SnowflakeId.class);
    }

    private IdProperty<P> attribute(P property, SnowflakeId annotation, String owner) {
        String name = property.getName();
        String generator = annotation.value();
        String written = SnowflakeIdMember.written(generator, annotation.text());
        IdType type = IdType.of(property.getType(), name, owner, written).withText(annotation, name, owner);
        if (!property.isWritable()) {
            throw Problem.ATTRIBUTE_NOT_INSERTED.exception(
                    "Attribute '%s' of %s gets no Snowflake ID: Spring Data does not write it".formatted(name, owner),
                    "Remove either @ReadOnlyProperty or @SnowflakeId.");
        }
        requireSettable(property);
        IdGenerator ids = generators.get(generator, "'" + name + "' of " + owner);
        return new IdProperty<>(property, type.requireRoom(ids, generator, name, owner, written), ids, written);
    }

    /**
     * Rejects an attribute that can be changed neither in the object nor in a copy of it. Spring Data creates a copy by
     * the constructor, so the copy would lose attributes that are not constructor parameters.
     *
     * @param <P> the attributes of a Spring Data module
     * @param property an attribute that gets IDs, or that contains objects that do
     * @throws ConfigurationException if the attribute cannot be set
     */
    public static <P extends PersistentProperty<P>> void requireSettable(P property) {
        @SuppressWarnings("unchecked") // An attribute and its entity are of the same module.
        PersistentEntity<?, P> owner = (PersistentEntity<?, P>) property.getOwner();
        for (P each : owner) {
            if (property.isImmutable() && property.getWither() == null && !owner.isCreatorArgument(each)) {
                throw Problem.ATTRIBUTE_NOT_SETTABLE.exception(
                        "Attribute '%s' of %s cannot get a Snowflake ID: it is final, and '%s' is not a constructor parameter"
                                .formatted(property.getName(), owner.getName(), each.getName()),
                        "Declare the attribute without final (in Kotlin, as var), or add '%s' to the constructor."
                                .formatted(each.getName()));
            }
        }
    }
}
