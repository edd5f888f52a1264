package io.github.snowflakeid.hibernate;

import io.github.snowflakeid.SnowflakeId;
import io.github.snowflakeid.internal.failure.ConfigurationException;
import io.github.snowflakeid.internal.failure.Problem;
import io.github.snowflakeid.internal.mapping.IdType;
import io.github.snowflakeid.internal.mapping.MappingErrors;
import io.github.snowflakeid.internal.mapping.SnowflakeIdMember;
import io.github.snowflakeid.internal.mapping.SnowflakeIdMembers;
import jakarta.persistence.MapsId;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Member;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.hibernate.boot.registry.classloading.spi.ClassLoaderService;
import org.hibernate.boot.spi.InFlightMetadataCollector;
import org.hibernate.mapping.Collection;
import org.hibernate.mapping.Component;
import org.hibernate.mapping.IndexedCollection;
import org.hibernate.mapping.Join;
import org.hibernate.mapping.PersistentClass;
import org.hibernate.mapping.Property;
import org.hibernate.mapping.RootClass;
import org.hibernate.mapping.SimpleValue;
import org.hibernate.mapping.ToOne;
import org.hibernate.mapping.Value;
import org.hibernate.service.ServiceRegistry;
import org.jspecify.annotations.Nullable;

/** The attributes with {@link io.github.snowflakeid.SnowflakeId} of all entities of an {@code EntityManagerFactory}. */
final class IdMapping {

    private final InFlightMetadataCollector metadata;
    private final ServiceRegistry services;
    private final SnowflakeIdMembers annotated = new SnowflakeIdMembers();

    IdMapping(InFlightMetadataCollector metadata) {
        this.metadata = metadata;
        this.services = metadata.getBootstrapContext().getServiceRegistry();
    }

    /**
     * Gives each its generator.
     *
     * @throws ConfigurationException if one would get no ids all the same
     */
    void apply() {
        for (PersistentClass entity : metadata.getEntityBindings()) {
            // One without a class is a map.
            if (entity.getClassName() != null) {
                apply(entity, annotated.in(entity.getMappedClass()));
            }
        }
        for (Collection collection : metadata.getCollectionBindings()) {
            refuseElements(collection.getElement(), collection);
            if (collection instanceof IndexedCollection indexed) {
                refuseElements(indexed.getIndex(), collection);
            }
        }
    }

    private void apply(PersistentClass entity, Map<String, SnowflakeIdMember> members) {
        refuseUnmapped(members, entity);
        if (entity instanceof RootClass root) {
            applyToId(root, members);
        }
        for (Property property : entity.getProperties()) {
            @Nullable SnowflakeIdMember member = members.get(property.getName());
            if (member != null) {
                AnnotatedIdGenerator generator = AnnotatedIdGenerator.of(
                        member, property, entity.getMappedClass(), entity.getEntityName(), services);
                if (!property.isInsertable()) {
                    throw HibernateMappingErrors.notInserted(
                            property.getName(), entity.getEntityName(), member.written());
                }
                property.setValueGeneratorCreator(generator);
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
                AnnotatedIdGenerator generator =
                        AnnotatedIdGenerator.of(member, id, entity.getMappedClass(), entity.getEntityName(), services);
                GeneratorInstaller.install(generator, (SimpleValue) entity.getIdentifier());
            }
        } else if (entity.getIdentifier() instanceof Component key) {
            applyToParts(key, id, entity, members);
        }
    }

    /** The annotation of a typed ID's component counts for attributes that are IDs. Others of that type are foreign keys. */
    private static @Nullable SnowflakeIdMember ofType(Property id, RootClass entity) {
        @Nullable
        IdType type = id.getValue() instanceof Component
                ? null
                : IdType.of(id.getType().getReturnedClass());
        @Nullable SnowflakeId annotation = type == null ? null : type.annotation(SnowflakeId.class);
        @Nullable Member member = id.getGetter(entity.getMappedClass()).getMember();
        return annotation == null || member == null ? null : new SnowflakeIdMember(annotation, member);
    }

    /** @param id the attribute that is the key; null if its parts are attributes of the entity */
    private void applyToParts(
            Component key, @Nullable Property id, RootClass entity, Map<String, SnowflakeIdMember> members) {
        Map<String, SnowflakeIdMember> parts = annotatedIn(key);
        if (id == null) {
            // An @IdClass may have the annotation as well.
            parts = new HashMap<>(parts);
            parts.putAll(members);
        } else {
            refuseUnmapped(parts, key);
        }
        for (Property part : key.getProperties()) {
            @Nullable SnowflakeIdMember member = parts.get(part.getName());
            if (member != null && !isDerived(part, entity)) {
                String owner = id == null ? entity.getEntityName() : key.getComponentClassName();
                AnnotatedIdGenerator generator =
                        AnnotatedIdGenerator.of(member, part, key.getComponentClass(), owner, services);
                GeneratorInstaller.install(generator, (SimpleValue) part.getValue());
            } else if (part.getValue() instanceof Component nested && !isDerived(part, entity)) {
                refuseNested(nested, part, id == null ? "id" : id.getName(), entity);
            }
        }
    }

    /** Whether an id, or a part of one, is taken from an association. */
    private static boolean isDerived(Property id, RootClass entity) {
        @Nullable Component mapper = entity.getIdentifierMapper();
        if (mapper != null
                && mapper.hasProperty(id.getName())
                && mapper.getProperty(id.getName()).getValue() instanceof ToOne) {
            return true;
        }
        for (Property property : entity.getProperties()) {
            if (property.getValue() instanceof ToOne
                    && property.getGetter(entity.getMappedClass()).getMember() instanceof AnnotatedElement member) {
                @Nullable MapsId mapsId = member.getAnnotation(MapsId.class);
                if (mapsId != null
                        && (mapsId.value().isEmpty() || mapsId.value().equals(id.getName()))) {
                    return true;
                }
            }
        }
        return false;
    }

    /** The annotation of a typed ID's component counts for IDs only, also if the type is embedded. A record can be nothing else. */
    private boolean isForeignKey(Component embedded) {
        Class<?> type = embedded.getComponentClass();
        @Nullable IdType id = IdType.of(type);
        return id != null
                && id.isTyped()
                && (type.isRecord()
                        || metadata.getEntityBindings().stream()
                                .anyMatch(entity -> entity.getIdentifier() instanceof Component key
                                        && key.getComponentClass() == type));
    }

    private void applyToEmbedded(Component embedded, Property property, PersistentClass entity) {
        Map<String, SnowflakeIdMember> parts = annotatedIn(embedded);
        refuseUnmapped(parts, embedded);
        for (Property part : embedded.getProperties()) {
            @Nullable SnowflakeIdMember member = parts.get(part.getName());
            if (member != null) {
                Class<?> type = embedded.getComponentClass();
                if (type.isRecord()) {
                    throw HibernateMappingErrors.inRecord(
                            part.getName(), type, property.getName(), entity.getEntityName(), member.written());
                }
                if (!annotated.in(type).containsKey(part.getName())) {
                    throw HibernateMappingErrors.inSubclass(
                            part.getName(), type, property.getName(), entity.getEntityName());
                }
                part.setValueGeneratorCreator(AnnotatedIdGenerator.of(member, part, type, type.getName(), services));
            } else if (part.getValue() instanceof Component nested) {
                refuseNested(nested, part, property.getName(), entity);
            }
        }
    }

    private Map<String, SnowflakeIdMember> annotatedIn(Component embeddable) {
        Map<String, SnowflakeIdMember> members = annotated.in(embeddable.getComponentClass());
        if (embeddable.isPolymorphic()) {
            ClassLoaderService classes = services.requireService(ClassLoaderService.class);
            members = new HashMap<>(members);
            for (String subclass : embeddable.getDiscriminatorValues().values()) {
                members.putAll(annotated.in(classes.classForName(subclass)));
            }
        }
        return members;
    }

    private static boolean isMapped(String attribute, PersistentClass entity) {
        for (PersistentClass type = entity; type != null; type = type.getSuperclass()) {
            if (contains(type.getUnjoinedProperties(), attribute)) {
                return true;
            }
            for (Join join : type.getJoins()) {
                if (contains(join.getProperties(), attribute)) {
                    return true;
                }
            }
        }
        @Nullable Property id = entity.getIdentifierProperty();
        return id == null
                ? entity.getIdentifier() instanceof Component key && contains(key.getProperties(), attribute)
                : id.getName().equals(attribute);
    }

    private static boolean contains(List<Property> properties, String name) {
        for (Property property : properties) {
            if (property.getName().equals(name)) {
                return true;
            }
        }
        return false;
    }

    private void refuseUnmapped(Map<String, SnowflakeIdMember> members, PersistentClass entity) {
        for (Map.Entry<String, SnowflakeIdMember> each : members.entrySet()) {
            if (!isMapped(each.getKey(), entity)) {
                Class<?> declaring = each.getValue().member().getDeclaringClass();
                boolean entitiesInherit = declaring == entity.getMappedClass()
                        || metadata.getMappedSuperclass(declaring) != null
                        || metadata.getEntityBinding(declaring.getName()) != null;
                throw entitiesInherit
                        ? MappingErrors.unmapped(each.getKey(), entity.getEntityName(), "Hibernate")
                        : HibernateMappingErrors.notInherited(each.getKey(), entity.getEntityName(), declaring);
            }
        }
    }

    private static void refuseUnmapped(Map<String, SnowflakeIdMember> parts, Component embeddable) {
        for (String part : parts.keySet()) {
            if (!contains(embeddable.getProperties(), part)) {
                throw MappingErrors.unmapped(part, embeddable.getComponentClassName(), "Hibernate");
            }
        }
    }

    private void refuseNested(Component nested, Property part, String attribute, PersistentClass entity) {
        refuse(
                nested,
                """
                Embed it in the entity itself, or set the attribute where the object is made:

                %s = idGenerator.nextId();""",
                "as it is embedded twice, in '%s' of '%s' of %s",
                part.getName(),
                attribute,
                entity.getEntityName());
    }

    private void refuseElements(@Nullable Value value, Collection collection) {
        if (value instanceof Component element) {
            refuse(element, """
                    Map the elements as entities with @OneToMany, or set the attribute where an element is made:

                    %s = idGenerator.nextId();""", "as it is in a collection, '%s'", collection.getRole());
        }
    }

    private void refuse(Component embedded, String action, String where, String... names) {
        if (isForeignKey(embedded)) {
            return;
        }
        Map<String, SnowflakeIdMember> parts = annotatedIn(embedded);
        for (Property part : embedded.getProperties()) {
            // What is not inserted is a copy of another attribute, as a @MapKey.
            if (parts.containsKey(part.getName()) && part.isInsertable()) {
                throw Problem.ATTRIBUTE_NOT_INSERTED.exception(
                        "Attribute '%s' of %s would stay without a Snowflake id, %s: Hibernate generates no values there"
                                .formatted(part.getName(), embedded.getComponentClassName(), where.formatted((Object[])
                                        names)),
                        action.formatted(part.getName()));
            }
            if (part.getValue() instanceof Component nested) {
                refuse(nested, action, where, names);
            }
        }
    }
}
