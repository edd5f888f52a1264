package io.github.snowflakeid.mongodb;

import io.github.snowflakeid.IdGenerator;
import io.github.snowflakeid.SnowflakeId;
import io.github.snowflakeid.internal.failure.Problem;
import io.github.snowflakeid.internal.mapping.Elements;
import io.github.snowflakeid.internal.mapping.IdGenerators;
import io.github.snowflakeid.internal.mapping.IdType;
import io.github.snowflakeid.internal.mapping.MappingErrors;
import io.github.snowflakeid.internal.mapping.SnowflakeIdMember;
import io.github.snowflakeid.internal.mapping.SnowflakeIdMembers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToLongFunction;
import org.bson.Document;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.dao.InvalidDataAccessApiUsageException;
import org.springframework.data.mapping.PersistentPropertyAccessor;
import org.springframework.data.mongodb.core.mapping.MongoMappingContext;
import org.springframework.data.mongodb.core.mapping.MongoPersistentEntity;
import org.springframework.data.mongodb.core.mapping.MongoPersistentProperty;
import org.springframework.util.ClassUtils;

/**
 * Sets the missing IDs of documents and of the objects that are embedded in them. An update sets them, too, because
 * MongoDB writes a document as a whole. Examines each class once, at startup if it is known by then. Safe for use by
 * any number of threads.
 */
@SuppressWarnings("ReferenceEquality") // A changed copy must be saved even if it equals the object.
final class DocumentIds implements SmartInitializingSingleton {

    private record Attribute(MongoPersistentProperty property, IdType type, IdGenerator ids) {}

    /** The attributes of a class that get IDs, and those that may hold objects with such attributes. */
    private record Plan(
            MongoPersistentEntity<?> entity, List<Attribute> attributes, List<MongoPersistentProperty> parts) {}

    private final Iterable<MongoMappingContext> contexts;
    private final IdGenerators generators;
    private final SnowflakeIdMembers annotated = new SnowflakeIdMembers();
    private final Map<Class<?>, List<Plan>> plans = new ConcurrentHashMap<>();

    /** @param contexts one for each database; not accessed before all singletons exist */
    DocumentIds(Iterable<MongoMappingContext> contexts, IdGenerators generators) {
        this.contexts = contexts;
        this.generators = generators;
    }

    /**
     * @throws io.github.snowflakeid.internal.failure.ConfigurationException if an annotated attribute would get no IDs
     */
    @Override
    public void afterSingletonsInstantiated() {
        contexts.forEach(context ->
                context.getPersistentEntities().forEach(entity -> plans.put(entity.getType(), newPlan(entity))));
    }

    /** Returns the plan for an object; empty if there is nothing to do. */
    private List<Plan> planFor(Object object) {
        Class<?> type = ClassUtils.getUserClass(object);
        List<Plan> known = plans.get(type);
        if (known == null) {
            known = newPlan(contexts.iterator().next().getPersistentEntity(type));
            plans.put(type, known);
        }
        return known;
    }

    private List<Plan> newPlan(@Nullable MongoPersistentEntity<?> entity) {
        if (entity == null) {
            return List.of();
        }
        for (String attribute : annotated.in(entity.getType()).keySet()) {
            MongoPersistentProperty property = entity.getPersistentProperty(attribute);
            if (property == null || !property.isWritable()) {
                throw MappingErrors.unmapped(attribute, entity.getName(), "Spring Data");
            }
        }
        List<Attribute> attributes = new ArrayList<>();
        List<MongoPersistentProperty> parts = new ArrayList<>();
        for (MongoPersistentProperty property : entity) {
            SnowflakeId annotation = annotationOf(property);
            if (annotation != null) {
                attributes.add(attribute(property, annotation, entity.getName()));
            } else if (!property.isAssociation() && (property.isEntity() || property.getActualType() == Object.class)) {
                parts.add(property);
            }
        }
        return attributes.isEmpty() && parts.isEmpty() ? List.of() : List.of(new Plan(entity, attributes, parts));
    }

    /**
     * Returns the annotation of an attribute; for an ID also that of its type. Other attributes of the type are foreign
     * keys.
     */
    private @Nullable SnowflakeId annotationOf(MongoPersistentProperty property) {
        Class<?> owner = property.getOwner().getType();
        SnowflakeIdMember member = annotated.in(owner).get(property.getName());
        if (member != null || !property.isIdProperty()) {
            return member == null ? null : member.annotation();
        }
        IdType.requireMarkOnType(property.getType(), property.getName(), owner.getName());
        IdType type = IdType.of(property.getType());
        return type == null ? null : type.annotation(SnowflakeId.class);
    }

    private Attribute attribute(MongoPersistentProperty property, SnowflakeId annotation, String owner) {
        String name = property.getName();
        String generator = annotation.value();
        String written = SnowflakeIdMember.written(generator, annotation.text());
        IdType type = IdType.of(property.getType(), name, owner, written).withText(annotation, name, owner);
        if (property.isEntity()) {
            throw Problem.ATTRIBUTE_TYPE.exception(
                    "Attribute '%s' of %s cannot get a Snowflake ID: MongoDB would store %s as an object"
                            .formatted(name, owner, property.getType().getName()),
                    "Annotate the type:\n\n%s\nrecord %s(Long value) {}"
                            .formatted(written, property.getType().getSimpleName()));
        }
        rejectUnlessSettable(property);
        IdGenerator ids = generators.get(generator, "'" + name + "' of " + owner);
        return new Attribute(property, type.requireRoom(ids, generator, name, owner, written), ids);
    }

    /**
     * Rejects a final attribute if a copy of the object, which Spring Data creates by the constructor, would lose other
     * attributes.
     */
    private static void rejectUnlessSettable(MongoPersistentProperty property) {
        MongoPersistentEntity<?> owner = (MongoPersistentEntity<?>) property.getOwner();
        for (MongoPersistentProperty each : owner) {
            if (property.isImmutable() && property.getWither() == null && !owner.isCreatorArgument(each)) {
                throw Problem.ATTRIBUTE_NOT_SETTABLE.exception(
                        "Attribute '%s' of %s cannot get a Snowflake ID: it is final, and '%s' is not a constructor parameter"
                                .formatted(property.getName(), owner.getName(), each.getName()),
                        "Declare the attribute without final (in Kotlin, as var), or add '%s' to the constructor."
                                .formatted(each.getName()));
            }
        }
    }

    /**
     * Sets missing IDs.
     *
     * @return the object, or a copy if the object cannot be changed
     */
    Object fill(Object object, ToLongFunction<IdGenerator> source) {
        for (Plan plan : planFor(object)) {
            PersistentPropertyAccessor<Object> accessor = plan.entity.getPropertyAccessor(object);
            for (Attribute attribute : plan.attributes) {
                if (!attribute.type.isSet(accessor.getProperty(attribute.property))) {
                    long id = source.applyAsLong(attribute.ids);
                    accessor.setProperty(attribute.property, attribute.type.convert(id));
                }
            }
            for (MongoPersistentProperty part : plan.parts) {
                Object value = accessor.getProperty(part);
                Object filled = Elements.replace(value, each -> fill(each, source));
                if (filled != value) {
                    rejectUnlessSettable(part);
                    accessor.setProperty(part, filled);
                }
            }
            return accessor.getBean();
        }
        return object;
    }

    /**
     * Detects {@code MongoTemplate.replace}, which converts an object before it calls callbacks, and does not write
     * their result.
     */
    Object requireId(Object saved, Document converted) {
        boolean getsId = planFor(saved).stream()
                .flatMap(plan -> plan.attributes.stream())
                .anyMatch(attribute -> attribute.property.isIdProperty());
        if (getsId && !converted.containsKey("_id")) {
            throw new InvalidDataAccessApiUsageException(
                    "%s was not written: MongoTemplate.replace does not write the ID that @SnowflakeId sets. Set it to the ID of the document that is replaced, or to a new ID if there may be none, or call save"
                            .formatted(saved.getClass().getName()));
        }
        return saved;
    }
}
