package io.github.snowflakeid.data;

import io.github.snowflakeid.IdGenerator;
import io.github.snowflakeid.SnowflakeId;
import io.github.snowflakeid.internal.failure.ConfigurationException;
import io.github.snowflakeid.internal.mapping.IdGenerators;
import io.github.snowflakeid.internal.mapping.IdType;
import io.github.snowflakeid.internal.mapping.MappingErrors;
import io.github.snowflakeid.internal.mapping.SnowflakeIdMember;
import io.github.snowflakeid.internal.mapping.SnowflakeIdMembers;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.core.SpringVersion;
import org.springframework.dao.InvalidDataAccessApiUsageException;
import org.springframework.data.mapping.Parameter;
import org.springframework.data.mapping.PersistentPropertyAccessor;
import org.springframework.data.mapping.model.EntityInstantiators;
import org.springframework.data.mapping.model.InstantiationAwarePropertyAccessor;
import org.springframework.data.mapping.model.ParameterValueProvider;
import org.springframework.data.relational.core.mapping.RelationalMappingContext;
import org.springframework.data.relational.core.mapping.RelationalPersistentEntity;
import org.springframework.data.relational.core.mapping.RelationalPersistentProperty;
import org.springframework.data.relational.core.mapping.Sequence;

/**
 * Which attributes of an entity get ids, of the entity itself and of all that is saved with it. Looks at each class once. Safe
 * for use by any number of threads.
 */
final class AnnotatedEntities {

    /**
     * What is to be done for the objects of a class.
     *
     * @param attributes that get ids
     * @param parts attributes that hold objects with such attributes, directly or in turn
     */
    record Plan(
            RelationalPersistentEntity<?> entity,
            List<Attribute> attributes,
            List<RelationalPersistentProperty> parts) {

        boolean isEmpty() {
            return attributes.isEmpty() && parts.isEmpty();
        }

        @SuppressWarnings("unchecked") // The objects that it is used for are of the class of the entity.
        InstantiationAwarePropertyAccessor<Object> accessor(Object object) {
            RelationalPersistentEntity<Object> itsEntity = (RelationalPersistentEntity<Object>) entity;
            return new InstantiationAwarePropertyAccessor<>(object, itsEntity::getPropertyAccessor, INSTANTIATORS);
        }

        boolean hasAnnotatedId() {
            return embeddedId() != null || annotatedId() != null;
        }

        /** The ID, if it is itself an attribute that gets IDs. */
        @Nullable
        Attribute annotatedId() {
            return attributes.stream()
                    .filter(attribute -> attribute.property().isIdProperty())
                    .findFirst()
                    .orElse(null);
        }

        /** The ID, if it is an object with attributes that get ids. */
        @Nullable
        RelationalPersistentProperty embeddedId() {
            RelationalPersistentProperty id = entity.getIdProperty();
            return id != null && parts.contains(id) ? id : null;
        }

        /** Creates an object of the class, with ids by the names of their attributes. */
        Object create(Map<String, Object> ids) {
            PersistentPropertyAccessor<Object> accessor = accessor(INSTANTIATORS
                    .getInstantiatorFor(entity)
                    .createInstance(entity, new ParameterValueProvider<RelationalPersistentProperty>() {
                        @Override
                        @SuppressWarnings("unchecked") // Each id is of the type of its attribute.
                        public <T> @Nullable T getParameterValue(Parameter<T, RelationalPersistentProperty> parameter) {
                            return (T) ids.get(parameter.getName());
                        }
                    }));
            for (Attribute attribute : attributes) {
                RelationalPersistentProperty property = attribute.property();
                if (!entity.isCreatorArgument(property)) {
                    accessor.setProperty(property, ids.get(property.getName()));
                }
            }
            return accessor.getBean();
        }

        String idAttribute() {
            return entity.getRequiredIdProperty().getName();
        }

        @Nullable
        Object idOf(Object object) {
            return entity.getIdentifierAccessor(object).getIdentifier();
        }

        /** @param insert what inserts a row that has an id */
        InvalidDataAccessApiUsageException noSuchRow(Object saved, String insert) {
            return new InvalidDataAccessApiUsageException(
                    "%s with id %s was not saved: Spring Data updates what has an id already, but there is no such row. To insert a new one, leave '%s' %s, then @SnowflakeId sets it; or call %s. A save that failed has set it, too"
                            .formatted(
                                    entity.getName(),
                                    idOf(saved),
                                    idAttribute(),
                                    IdType.plain(entity.getRequiredIdProperty().getType()) == null ? "null" : "unset",
                                    insert));
        }

        /** @param other an attribute of the embedded ID that is null */
        InvalidDataAccessApiUsageException incompleteId(String other) {
            return new InvalidDataAccessApiUsageException(
                    "%s was not saved: '%s' is null, and @SnowflakeId sets only a part of it, not '%s'. Set '%2$s' to an object with '%3$s', and call insert of JdbcAggregateTemplate or R2dbcEntityTemplate, as save updates what has an id"
                            .formatted(entity.getName(), idAttribute(), other));
        }
    }

    /** An attribute that gets ids. */
    record Attribute(RelationalPersistentProperty property, IdType type, IdGenerator ids) {}

    private static final EntityInstantiators INSTANTIATORS = new EntityInstantiators();

    /** Whether this is Spring Data 3, which lets embedded IDs be declared, but saves no rows with them. */
    private static final boolean WITHOUT_EMBEDDED_IDS =
            String.valueOf(SpringVersion.getVersion()).startsWith("6.");

    private final Iterable<? extends RelationalMappingContext> contexts;
    private final IdGenerators generators;
    private final SnowflakeIdMembers annotated = new SnowflakeIdMembers();
    private final Map<Class<?>, Plan> plans = new ConcurrentHashMap<>();

    /** The IDs of objects that Spring Data updates because their ID was an object that held nothing, as long as they are in use. */
    private final Set<Object> filledIds = Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

    AnnotatedEntities(Iterable<? extends RelationalMappingContext> contexts, IdGenerators generators) {
        this.contexts = contexts;
        this.generators = generators;
    }

    /**
     * Looks at all entities that are known.
     *
     * @throws ConfigurationException if an annotated attribute would get no ids
     */
    void check() {
        for (RelationalMappingContext context : contexts) {
            for (RelationalPersistentEntity<?> entity : context.getPersistentEntities()) {
                planFor(entity.getType());
            }
        }
    }

    void rememberFilled(Object id) {
        filledIds.add(id);
    }

    /** Whether an ID was filled in an object that is not saved yet. */
    boolean forgetFilled(Object id) {
        return filledIds.remove(id);
    }

    /** What is to be done for the objects of a class. */
    Plan planFor(Class<?> type) {
        Plan plan = plans.get(type);
        if (plan == null) {
            RelationalMappingContext context = contextOf(type);
            RelationalPersistentEntity<?> entity = context.getRequiredPersistentEntity(type);
            plan = new Plan(entity, attributesOf(entity), partsOf(entity, context));
            RelationalPersistentProperty id = plan.embeddedId();
            if (id != null && WITHOUT_EMBEDDED_IDS) {
                throw DataMappingErrors.embeddedId(id);
            }
            plans.put(type, plan);
        }
        return plan;
    }

    /** Of several, for several databases, the one that knows the class. */
    private RelationalMappingContext contextOf(Class<?> type) {
        RelationalMappingContext last = null;
        for (RelationalMappingContext context : contexts) {
            if (context.hasPersistentEntityFor(type)) {
                return context;
            }
            last = context;
        }
        if (last == null) {
            throw new IllegalStateException("no mapping context knows " + type);
        }
        return last;
    }

    private List<Attribute> attributesOf(RelationalPersistentEntity<?> entity) {
        Map<String, SnowflakeIdMember> members = annotated.in(entity.getType());
        for (Map.Entry<String, SnowflakeIdMember> each : members.entrySet()) {
            if (entity.getPersistentProperty(each.getKey()) == null) {
                throw MappingErrors.unmapped(each.getKey(), entity.getName(), "Spring Data");
            }
        }
        List<Attribute> attributes = new ArrayList<>();
        for (RelationalPersistentProperty property : entity) {
            SnowflakeId annotation = annotationOf(property);
            if (annotation != null) {
                attributes.add(attribute(property, annotation, entity.getName()));
            }
        }
        return attributes;
    }

    /** The annotation of a typed ID's component counts for attributes that are IDs. Others of that type are foreign keys. */
    private static @Nullable SnowflakeId annotationOf(RelationalPersistentProperty property) {
        SnowflakeId annotation = property.findAnnotation(SnowflakeId.class);
        if (annotation != null || !property.isIdProperty() || property.isEntity()) {
            return annotation;
        }
        IdType type = IdType.of(property.getType());
        return type == null ? null : type.annotation(SnowflakeId.class);
    }

    private Attribute attribute(RelationalPersistentProperty property, SnowflakeId annotation, String owner) {
        String name = property.getName();
        String generator = annotation.value();
        String written = SnowflakeIdMember.written(generator, annotation.text());
        IdType type = IdType.of(property.getType(), name, owner, written).withText(annotation, name, owner);
        if (property.isEntity()) {
            throw DataMappingErrors.notConverted(name, owner);
        }
        if (!property.isWritable()) {
            throw DataMappingErrors.notInserted(name, owner);
        }
        if (property.isAnnotationPresent(Sequence.class)) {
            throw MappingErrors.twoOrigins(name, owner, written, "@Sequence");
        }
        refuseUnlessSettable(property, written + "\n");
        IdGenerator ids = generators.get(generator, "'" + name + "' of " + owner);
        return new Attribute(property, type.requireRoom(ids, generator, name, owner, written), ids);
    }

    private static List<RelationalPersistentProperty> partsOf(
            RelationalPersistentEntity<?> entity, RelationalMappingContext context) {
        List<RelationalPersistentProperty> parts = new ArrayList<>();
        for (RelationalPersistentProperty property : entity) {
            if (holdsIds(property, context, new HashSet<>())) {
                parts.add(property);
            }
        }
        return parts;
    }

    private static boolean holdsIds(
            RelationalPersistentProperty property, RelationalMappingContext context, Set<Class<?>> seen) {
        if (!property.isEntity()) {
            return false;
        }
        RelationalPersistentEntity<?> entity = context.getPersistentEntity(property.getActualType());
        if (entity != null && seen.add(entity.getType())) {
            for (RelationalPersistentProperty inner : entity) {
                if (annotationOf(inner) != null || holdsIds(inner, context, seen)) {
                    return true;
                }
            }
        }
        return false;
    }

    /**
     * Refuses an attribute that cannot be given another value, neither in the object nor in a copy of it. Spring Data makes a copy by
     * the constructor, so what that does not take would be lost.
     *
     * @param annotation the lines in front of the attribute, for the message
     */
    static void refuseUnlessSettable(RelationalPersistentProperty property, String annotation) {
        if (!property.isImmutable() || property.getWither() != null) {
            return;
        }
        RelationalPersistentEntity<?> owner = (RelationalPersistentEntity<?>) property.getOwner();
        if (!owner.isCreatorArgument(property)) {
            throw DataMappingErrors.notSettable(property, annotation);
        }
        for (RelationalPersistentProperty other : owner) {
            if (!owner.isCreatorArgument(other)) {
                throw DataMappingErrors.lostInCopies(property, other.getName(), annotation);
            }
        }
    }
}
