package io.github.snowflakeid.hibernate;

import io.github.snowflakeid.SnowflakeId;
import io.github.snowflakeid.failure.ConfigurationException;
import io.github.snowflakeid.internal.failure.Problem;
import io.github.snowflakeid.internal.mapping.IdType;
import io.github.snowflakeid.internal.mapping.MappingErrors;
import io.github.snowflakeid.internal.mapping.SnowflakeIdMember;
import io.github.snowflakeid.internal.mapping.SnowflakeIdMembers;
import jakarta.persistence.MapsId;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Member;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.hibernate.boot.spi.InFlightMetadataCollector;
import org.hibernate.mapping.Collection;
import org.hibernate.mapping.Component;
import org.hibernate.mapping.IndexedCollection;
import org.hibernate.mapping.PersistentClass;
import org.hibernate.mapping.Property;
import org.hibernate.mapping.RootClass;
import org.hibernate.mapping.SimpleValue;
import org.hibernate.mapping.ToOne;
import org.hibernate.mapping.Value;
import org.hibernate.service.ServiceRegistry;
import org.jspecify.annotations.Nullable;

/**
 * Finds the attributes with {@link io.github.snowflakeid.SnowflakeId} in all entities of an
 * {@code EntityManagerFactory} and installs their generators.
 */
final class IdMapping {

    private final InFlightMetadataCollector metadata;
    private final ServiceRegistry services;
    private final SnowflakeIdMembers annotated = new SnowflakeIdMembers();

    /** The entities whose IDs are generated. */
    private final Set<RootClass> generated = new HashSet<>();

    IdMapping(InFlightMetadataCollector metadata) {
        this.metadata = metadata;
        this.services = metadata.getBootstrapContext().getServiceRegistry();
    }

    /**
     * Installs a generator for each annotated attribute.
     *
     * @throws ConfigurationException if an annotated attribute would get no IDs
     */
    void apply() {
        for (PersistentClass entity : metadata.getEntityBindings()) {
            // An entity without a class is a map.
            if (entity.getClassName() != null) {
                SnowflakeIdMembers.rejectMark(entity.getMappedClass());
                apply(entity, annotated.in(entity.getMappedClass()));
            }
        }
        new SharedKeyCheck(metadata, generated).check();
        for (Collection collection : metadata.getCollectionBindings()) {
            rejectElements(collection.getElement(), collection);
            if (collection instanceof IndexedCollection indexed) {
                rejectElements(indexed.getIndex(), collection);
            }
        }
    }

    private void apply(PersistentClass entity, Map<String, SnowflakeIdMember> members) {
        rejectUnmapped(members, entity);
        if (entity instanceof RootClass root) {
            applyToId(root, members);
        }
        for (Property property : entity.getProperties()) {
            @Nullable SnowflakeIdMember member = members.get(property.getName());
            if (member != null) {
                AnnotatedIdGenerator generator = AnnotatedIdGenerator.of(
                        member, property, entity.getMappedClass(), entity.getEntityName(), services);
                if (!property.isInsertable()) {
                    throw Problem.ATTRIBUTE_NOT_INSERTED.exception(
                            "Attribute '%s' of %s gets no Snowflake ID: its column is not insertable"
                                    .formatted(property.getName(), entity.getEntityName()),
                            "Make the column insertable:\n\n@Column(insertable = true)");
                }
                property.setValueGeneratorCreator(context -> generator);
            } else if (property.getValue() instanceof Component embedded
                    && !property.isSynthetic()
                    && !isForeignKey(embedded)) {
                applyToEmbedded(embedded, property, entity);
            }
        }
    }

    private void applyToId(RootClass entity, Map<String, SnowflakeIdMember> members) {
        @Nullable Property id = entity.getIdentifierProperty();
        @Nullable SnowflakeIdMember member = id == null ? null : members.getOrDefault(id.getName(), ofType(id, entity));
        if (id != null && member != null) {
            if (!isDerived(id, entity)) {
                AnnotatedIdGenerator.of(member, id, entity.getMappedClass(), entity.getEntityName(), services)
                        .installIn((SimpleValue) entity.getIdentifier());
                generated.add(entity);
            }
        } else if (entity.getIdentifier() instanceof Component key) {
            applyToParts(key, id, entity, members);
        }
    }

    /**
     * Returns the annotation of a typed ID. It applies only to IDs of entities: other attributes of the type are
     * foreign keys.
     */
    private static @Nullable SnowflakeIdMember ofType(Property id, RootClass entity) {
        if (id.getValue() instanceof Component) {
            return null;
        }
        Class<?> javaType = id.getType().getReturnedClass();
        IdType.requireMarkOnType(javaType, id.getName(), entity.getEntityName());
        @Nullable IdType type = IdType.of(javaType);
        @Nullable SnowflakeId annotation = type == null ? null : type.annotation(SnowflakeId.class);
        @Nullable Member member = AnnotatedIdGenerator.memberOf(id, entity.getMappedClass());
        return annotation == null || member == null ? null : new SnowflakeIdMember(annotation, member);
    }

    /** @param id the attribute that holds the key; null if the parts of the key are attributes of the entity */
    private void applyToParts(
            Component key, @Nullable Property id, RootClass entity, Map<String, SnowflakeIdMember> members) {
        Map<String, SnowflakeIdMember> parts = annotated.in(key.getComponentClass());
        if (id == null) {
            // The annotation may be on an attribute of the @IdClass or of the entity.
            parts = new HashMap<>(parts);
            parts.putAll(members);
        } else {
            rejectUnmapped(parts, key);
        }
        for (Property part : key.getProperties()) {
            @Nullable SnowflakeIdMember member = parts.get(part.getName());
            if (member != null && !isDerived(part, entity)) {
                String owner = id == null ? entity.getEntityName() : key.getComponentClassName();
                AnnotatedIdGenerator.of(member, part, key.getComponentClass(), owner, services)
                        .installIn((SimpleValue) part.getValue());
            } else if (part.getValue() instanceof Component nested && !isDerived(part, entity)) {
                rejectNested(nested, part, id == null ? "id" : id.getName(), entity);
            }
        }
    }

    /** Whether an ID, or a part of it, is taken from an association. */
    private static boolean isDerived(Property id, RootClass entity) {
        @Nullable Component mapper = entity.getIdentifierMapper();
        if (mapper != null
                && mapper.hasProperty(id.getName())
                && mapper.getProperty(id.getName()).getValue() instanceof ToOne) {
            return true;
        }
        for (Property property : entity.getProperties()) {
            if (property.getValue() instanceof ToOne
                    && AnnotatedIdGenerator.memberOf(property, entity.getMappedClass())
                            instanceof AnnotatedElement member) {
                @Nullable MapsId mapsId = member.getAnnotation(MapsId.class);
                if (mapsId != null
                        && (mapsId.value().isEmpty() || mapsId.value().equals(id.getName()))) {
                    return true;
                }
            }
        }
        return false;
    }

    /**
     * Whether an embedded object is a typed ID that refers to another entity, so that its annotation does not apply. A
     * record of one component always is, because Hibernate cannot set IDs in embedded records.
     */
    private boolean isForeignKey(Component embedded) {
        Class<?> type = embedded.getComponentClass();
        return embedded.getPropertySpan() == 1
                && (type.isRecord()
                        || metadata.getEntityBindings().stream()
                                .anyMatch(entity -> entity.getIdentifier() instanceof Component key
                                        && key.getComponentClass() == type));
    }

    private void applyToEmbedded(Component embedded, Property property, PersistentClass entity) {
        Map<String, SnowflakeIdMember> parts = annotated.in(embedded.getComponentClass());
        rejectUnmapped(parts, embedded);
        for (Property part : embedded.getProperties()) {
            @Nullable SnowflakeIdMember member = parts.get(part.getName());
            if (member != null) {
                Class<?> type = embedded.getComponentClass();
                if (type.isRecord()) {
                    throw Problem.ATTRIBUTE_NOT_SETTABLE.exception(
                            "Component '%s' of record %s cannot get Snowflake IDs, because the record is embedded as '%s' of %s: Hibernate cannot change a record"
                                    .formatted(
                                            part.getName(), type.getName(), property.getName(), entity.getEntityName()),
                            "Replace the record with a class:\n\n@Embeddable\npublic class %s { ... }"
                                    .formatted(type.getSimpleName()));
                }
                AnnotatedIdGenerator generator = AnnotatedIdGenerator.of(member, part, type, type.getName(), services);
                part.setValueGeneratorCreator(context -> generator);
            } else if (part.getValue() instanceof Component nested) {
                rejectNested(nested, part, property.getName(), entity);
            }
        }
    }

    private static boolean isMapped(String attribute, PersistentClass entity) {
        return entity.hasProperty(attribute)
                || (entity.getIdentifierProperty() == null
                        && entity.getIdentifier() instanceof Component key
                        && key.hasProperty(attribute));
    }

    private void rejectUnmapped(Map<String, SnowflakeIdMember> members, PersistentClass entity) {
        for (Map.Entry<String, SnowflakeIdMember> each : members.entrySet()) {
            if (!isMapped(each.getKey(), entity)) {
                Class<?> declaring = each.getValue().member().getDeclaringClass();
                boolean entitiesInherit = declaring == entity.getMappedClass()
                        || metadata.getMappedSuperclass(declaring) != null
                        || metadata.getEntityBinding(declaring.getName()) != null;
                throw entitiesInherit
                        ? MappingErrors.unmapped(each.getKey(), entity.getEntityName(), "Hibernate")
                        : Problem.ATTRIBUTE_NOT_INSERTED.exception(
                                "Attribute '%s' of %s gets no Snowflake ID: Hibernate does not map it, because %s is neither an entity nor a mapped superclass"
                                        .formatted(each.getKey(), entity.getEntityName(), declaring.getName()),
                                "Annotate %s with @MappedSuperclass.".formatted(declaring.getSimpleName()));
            }
        }
    }

    private static void rejectUnmapped(Map<String, SnowflakeIdMember> parts, Component embeddable) {
        for (String part : parts.keySet()) {
            if (!embeddable.hasProperty(part)) {
                throw MappingErrors.unmapped(part, embeddable.getComponentClassName(), "Hibernate");
            }
        }
    }

    private void rejectNested(Component nested, Property part, String attribute, PersistentClass entity) {
        rejectParts(
                nested,
                "nested embeddables ('%s' of '%s' of %s)".formatted(part.getName(), attribute, entity.getEntityName()));
    }

    private void rejectElements(@Nullable Value value, Collection collection) {
        if (value instanceof Component element) {
            rejectParts(element, "collections of embeddables ('" + collection.getRole() + "')");
        }
    }

    private void rejectParts(Component embedded, String where) {
        if (isForeignKey(embedded)) {
            return;
        }
        Map<String, SnowflakeIdMember> parts = annotated.in(embedded.getComponentClass());
        for (Property part : embedded.getProperties()) {
            // An attribute that is not inserted is a copy of another attribute, such as a @MapKey.
            if (parts.containsKey(part.getName()) && part.isInsertable()) {
                throw Problem.ATTRIBUTE_NOT_INSERTED.exception(
                        "Attribute '%s' of %s gets no Snowflake ID: Hibernate generates no values in %s"
                                .formatted(part.getName(), embedded.getComponentClassName(), where),
                        """
                        Move the attribute to an entity, or set the ID when you create the object:

                        %s = idGenerator.nextId();""".formatted(part.getName()));
            }
            if (part.getValue() instanceof Component nested) {
                rejectParts(nested, where);
            }
        }
    }
}
