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
import org.springframework.dao.IncorrectUpdateSemanticsDataAccessException;
import org.springframework.dao.InvalidDataAccessApiUsageException;
import org.springframework.data.annotation.Id;
import org.springframework.data.mapping.Parameter;
import org.springframework.data.mapping.PersistentPropertyAccessor;
import org.springframework.data.mapping.model.EntityInstantiators;
import org.springframework.data.mapping.model.InstantiationAwarePropertyAccessor;
import org.springframework.data.mapping.model.ParameterValueProvider;
import org.springframework.data.relational.core.mapping.Embedded;
import org.springframework.data.relational.core.mapping.RelationalMappingContext;
import org.springframework.data.relational.core.mapping.RelationalPersistentEntity;
import org.springframework.data.relational.core.mapping.RelationalPersistentProperty;
import org.springframework.data.relational.core.mapping.Sequence;

/**
 * Finds the attributes that get IDs, in entities and in the objects that are saved with them. Examines each class once.
 * Safe for use by any number of threads.
 */
final class AnnotatedEntities {

    /**
     * The attributes of a class that matter when its objects are saved.
     *
     * @param entity the class
     * @param attributes the attributes that get IDs
     * @param parts the attributes that hold objects with such attributes, directly or nested
     */
    record Plan(
            RelationalPersistentEntity<?> entity,
            List<Attribute> attributes,
            List<RelationalPersistentProperty> parts) {

        boolean isEmpty() {
            return attributes.isEmpty() && parts.isEmpty();
        }

        @SuppressWarnings("unchecked") // Called only for objects of the entity's class.
        InstantiationAwarePropertyAccessor<Object> accessor(Object object) {
            RelationalPersistentEntity<Object> typed = (RelationalPersistentEntity<Object>) entity;
            return new InstantiationAwarePropertyAccessor<>(object, typed::getPropertyAccessor, INSTANTIATORS);
        }

        boolean hasAnnotatedId() {
            return embeddedId() != null || annotatedId() != null;
        }

        /** Returns the ID if it is an attribute that gets IDs. */
        @Nullable
        Attribute annotatedId() {
            return attributes.stream()
                    .filter(attribute -> attribute.property().isIdProperty())
                    .findFirst()
                    .orElse(null);
        }

        /** Returns the ID if it is an object with attributes that get IDs. */
        @Nullable
        RelationalPersistentProperty embeddedId() {
            RelationalPersistentProperty id = entity.getIdProperty();
            return id != null && parts.contains(id) ? id : null;
        }

        /** Creates an object of the class from IDs by attribute name. */
        Object create(Map<String, Object> ids) {
            PersistentPropertyAccessor<Object> accessor = accessor(INSTANTIATORS
                    .getInstantiatorFor(entity)
                    .createInstance(entity, new ParameterValueProvider<RelationalPersistentProperty>() {
                        @Override
                        @SuppressWarnings("unchecked") // Each ID is of the type of its attribute.
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

        /** @param insert the method that inserts an object whose ID is set */
        IncorrectUpdateSemanticsDataAccessException noSuchRow(Object saved, String insert) {
            return new IncorrectUpdateSemanticsDataAccessException(
                    "%s with ID %s was not saved: Spring Data updates objects whose ID is set, but there is no such row. To insert a new row, leave '%s' %s so that @SnowflakeId sets it, or call %s. An earlier save that failed may have set the ID"
                            .formatted(
                                    entity.getName(),
                                    idOf(saved),
                                    idAttribute(),
                                    IdType.plain(entity.getRequiredIdProperty().getType()) == null ? "null" : "unset",
                                    insert));
        }

        /** @param other an attribute of the embedded ID that has no {@code @SnowflakeId} */
        InvalidDataAccessApiUsageException incompleteId(String other) {
            return new InvalidDataAccessApiUsageException(
                    "%s was not saved: '%s' is null, and @SnowflakeId sets only a part of it, not '%s'. Set '%2$s' to an object with '%3$s', and call insert of JdbcAggregateTemplate or R2dbcEntityTemplate, because save updates objects whose ID is set"
                            .formatted(entity.getName(), idAttribute(), other));
        }
    }

    /** An attribute that gets IDs. */
    record Attribute(RelationalPersistentProperty property, IdType type, IdGenerator ids) {}

    private static final EntityInstantiators INSTANTIATORS = new EntityInstantiators();

    /** Whether this is Spring Data 3, which accepts embedded IDs in a mapping but cannot save rows with them. */
    private static final boolean WITHOUT_EMBEDDED_IDS =
            String.valueOf(SpringVersion.getVersion()).startsWith("6.");

    private final Iterable<? extends RelationalMappingContext> contexts;
    private final IdGenerators generators;
    private final SnowflakeIdMembers annotated = new SnowflakeIdMembers();
    private final Map<Class<?>, Plan> plans = new ConcurrentHashMap<>();

    /**
     * IDs that were set in empty ID objects. Spring Data updates such objects, because it takes any ID object for an
     * existing ID. An entry disappears when its ID is garbage collected.
     */
    private final Set<Object> filledIds = Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

    AnnotatedEntities(Iterable<? extends RelationalMappingContext> contexts, IdGenerators generators) {
        this.contexts = contexts;
        this.generators = generators;
    }

    /**
     * Examines all known entities.
     *
     * @return their plans
     * @throws ConfigurationException if an annotated attribute would get no IDs
     */
    List<Plan> check() {
        List<Plan> all = new ArrayList<>();
        for (RelationalMappingContext context : contexts) {
            for (RelationalPersistentEntity<?> entity : context.getPersistentEntities()) {
                all.add(planFor(entity.getType()));
            }
        }
        return all;
    }

    void rememberFilled(Object id) {
        filledIds.add(id);
    }

    /** Forgets an ID. Returns whether it was remembered. */
    boolean forgetFilled(Object id) {
        return filledIds.remove(id);
    }

    /** Returns the plan for the objects of a class. */
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

    /** Returns the context that knows the class. An application with several databases has several contexts. */
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
        // An attribute called id is an ID without the annotation, also in a typed ID that is embedded.
        if (entity.getPersistentProperty(Id.class) != null) {
            SnowflakeIdMembers.rejectMark(entity.getType());
        }
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

    /**
     * Returns the annotation of an attribute, or of a typed ID. The latter applies only to IDs of entities: other
     * attributes of the type are foreign keys.
     */
    private @Nullable SnowflakeId annotationOf(RelationalPersistentProperty property) {
        if (property.isIdProperty() && property.isEntity() && !property.isAnnotationPresent(Embedded.class)) {
            IdType.requireMarkOnType(
                    property.getType(), property.getName(), property.getOwner().getName());
        }
        SnowflakeIdMember member = annotated.in(property.getOwner().getType()).get(property.getName());
        SnowflakeId annotation = member == null ? property.findAnnotation(SnowflakeId.class) : member.annotation();
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
        rejectUnlessSettable(property, written + "\n");
        IdGenerator ids = generators.get(generator, "'" + name + "' of " + owner);
        return new Attribute(property, type.requireRoom(ids, generator, name, owner, written), ids);
    }

    private List<RelationalPersistentProperty> partsOf(
            RelationalPersistentEntity<?> entity, RelationalMappingContext context) {
        List<RelationalPersistentProperty> parts = new ArrayList<>();
        for (RelationalPersistentProperty property : entity) {
            if (holdsIds(property, context, new HashSet<>())) {
                parts.add(property);
            }
        }
        return parts;
    }

    private boolean holdsIds(
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
     * Rejects an attribute that can be changed neither in the object nor in a copy of it. Spring Data creates a copy by
     * the constructor, so the copy would lose attributes that are not constructor parameters.
     *
     * @param annotation the lines in front of the attribute, for the message
     */
    static void rejectUnlessSettable(RelationalPersistentProperty property, String annotation) {
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
