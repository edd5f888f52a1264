package io.github.snowflakeid.mongodb;

import io.github.snowflakeid.IdGenerator;
import io.github.snowflakeid.internal.data.IdProperties;
import io.github.snowflakeid.internal.data.IdProperty;
import io.github.snowflakeid.internal.failure.Problem;
import io.github.snowflakeid.internal.mapping.Elements;
import io.github.snowflakeid.internal.mapping.IdGenerators;
import io.github.snowflakeid.internal.mapping.IdType;
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

    /** The attributes of a class that get IDs, and those that may hold objects with such attributes. */
    private record Plan(
            MongoPersistentEntity<?> entity,
            List<IdProperty<MongoPersistentProperty>> attributes,
            List<MongoPersistentProperty> parts) {}

    private final Iterable<MongoMappingContext> contexts;
    private final IdProperties<MongoPersistentProperty> properties;
    private final Map<Class<?>, List<Plan>> plans = new ConcurrentHashMap<>();

    /** @param contexts one for each database; not accessed before all singletons exist */
    DocumentIds(Iterable<MongoMappingContext> contexts, IdGenerators generators) {
        this.contexts = contexts;
        properties = new IdProperties<>(generators);
    }

    /**
     * @throws io.github.snowflakeid.failure.ConfigurationException if an annotated attribute would get no IDs
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
        List<MongoPersistentProperty> parts = new ArrayList<>();
        for (MongoPersistentProperty property : entity) {
            if (property.isIdProperty()) {
                IdType.requireMarkOnType(property.getType(), property.getName(), entity.getName());
            }
            if (properties.annotationOf(property) == null
                    && !property.isAssociation()
                    && (property.isEntity() || property.getActualType() == Object.class)) {
                parts.add(property);
            }
        }
        List<IdProperty<MongoPersistentProperty>> attributes = properties.in(entity);
        attributes.forEach(DocumentIds::rejectObject);
        return attributes.isEmpty() && parts.isEmpty() ? List.of() : List.of(new Plan(entity, attributes, parts));
    }

    private static void rejectObject(IdProperty<MongoPersistentProperty> attribute) {
        MongoPersistentProperty property = attribute.property();
        if (property.isEntity()) {
            Class<?> type = property.getType();
            throw Problem.ATTRIBUTE_TYPE.exception(
                    "Attribute '%s' of %s cannot get a Snowflake ID: MongoDB would store %s as an object"
                            .formatted(property.getName(), property.getOwner().getName(), type.getName()),
                    "Annotate the type:\n\n%s\nrecord %s(Long value) {}"
                            .formatted(attribute.written(), type.getSimpleName()));
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
            plan.attributes.forEach(attribute -> attribute.fill(accessor, source));
            for (MongoPersistentProperty part : plan.parts) {
                Object value = accessor.getProperty(part);
                Object filled = Elements.replace(value, each -> fill(each, source));
                if (filled != value) {
                    IdProperties.requireSettable(part);
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
                .anyMatch(attribute -> attribute.property().isIdProperty());
        if (getsId && !converted.containsKey("_id")) {
            throw new InvalidDataAccessApiUsageException(
                    "%s was not written: MongoTemplate.replace does not write the ID that @SnowflakeId sets. Set it to the ID of the document that is replaced, or to a new ID if there may be none, or call save"
                            .formatted(saved.getClass().getName()));
        }
        return saved;
    }
}
