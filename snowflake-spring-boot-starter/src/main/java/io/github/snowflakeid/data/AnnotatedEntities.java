package io.github.snowflakeid.data;

import io.github.snowflakeid.IdGenerator;
import io.github.snowflakeid.internal.data.IdProperties;
import io.github.snowflakeid.internal.data.IdProperty;
import io.github.snowflakeid.internal.failure.ConfigurationException;
import io.github.snowflakeid.internal.failure.Problem;
import io.github.snowflakeid.internal.mapping.IdGenerators;
import io.github.snowflakeid.internal.mapping.IdType;
import io.github.snowflakeid.internal.mapping.MappingErrors;
import io.github.snowflakeid.internal.mapping.SnowflakeIdMembers;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.dao.IncorrectUpdateSemanticsDataAccessException;
import org.springframework.data.annotation.Id;
import org.springframework.data.mapping.Parameter;
import org.springframework.data.mapping.PersistentPropertyAccessor;
import org.springframework.data.mapping.model.EntityInstantiators;
import org.springframework.data.mapping.model.ParameterValueProvider;
import org.springframework.data.relational.core.mapping.Embedded;
import org.springframework.data.relational.core.mapping.RelationalMappingContext;
import org.springframework.data.relational.core.mapping.RelationalPersistentEntity;
import org.springframework.data.relational.core.mapping.RelationalPersistentProperty;
import org.springframework.data.relational.core.mapping.Sequence;
import org.springframework.data.util.Streamable;

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
            List<IdProperty<RelationalPersistentProperty>> attributes,
            List<RelationalPersistentProperty> parts) {

        boolean isEmpty() {
            return attributes.isEmpty() && parts.isEmpty();
        }

        boolean hasAnnotatedId() {
            return embeddedId() != null || annotatedId().isPresent();
        }

        /** Returns the ID if it is an attribute that gets IDs. */
        Optional<IdProperty<RelationalPersistentProperty>> annotatedId() {
            return attributes.stream()
                    .filter(attribute -> attribute.property().isIdProperty())
                    .findFirst();
        }

        /** Returns the ID if it is an object with attributes that get IDs. */
        @Nullable
        RelationalPersistentProperty embeddedId() {
            RelationalPersistentProperty id = entity.getIdProperty();
            return id != null && parts.contains(id) ? id : null;
        }

        /** Creates an object of the class. New IDs are passed to the constructor, which may reject null. */
        Object create(ToLongFunction<IdGenerator> source) {
            Object created = new EntityInstantiators()
                    .getInstantiatorFor(entity)
                    .createInstance(entity, new ParameterValueProvider<RelationalPersistentProperty>() {
                        @Override
                        @SuppressWarnings("unchecked") // Each ID is of the type of its attribute.
                        public <T> @Nullable T getParameterValue(Parameter<T, RelationalPersistentProperty> parameter) {
                            return (T) attributes.stream()
                                    .filter(each -> each.property().getName().equals(parameter.getName()))
                                    .findFirst()
                                    .map(each -> each.next(source))
                                    .orElse(null);
                        }
                    });
            PersistentPropertyAccessor<Object> accessor = entity.getPropertyAccessor(created);
            attributes.forEach(attribute -> attribute.fill(accessor, source));
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
    }

    private final ObjectProvider<? extends RelationalMappingContext> contexts;
    private final IdProperties<RelationalPersistentProperty> properties;
    private final Map<Class<?>, Plan> plans = new ConcurrentHashMap<>();

    /**
     * IDs that were set in empty ID objects. Spring Data updates such objects, because it takes any ID object for an
     * existing ID. An entry disappears when its ID is garbage collected.
     */
    private final Set<Object> filledIds = Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

    /** @param contexts one for each database */
    AnnotatedEntities(ObjectProvider<? extends RelationalMappingContext> contexts, IdGenerators generators) {
        this.contexts = contexts;
        properties = new IdProperties<>(generators);
    }

    /**
     * Examines all known entities.
     *
     * @return their plans
     * @throws ConfigurationException if an annotated attribute would get no IDs
     */
    List<Plan> check() {
        return contexts.stream()
                .flatMap(context -> context.getPersistentEntities().stream())
                .map(entity -> planFor(entity.getType()))
                .toList();
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
            // A context does not know every class before it is saved.
            RelationalMappingContext context = contexts.stream()
                    .filter(each -> each.hasPersistentEntityFor(type))
                    .map(RelationalMappingContext.class::cast)
                    .findFirst()
                    .orElseGet(() -> contexts.iterator().next());
            RelationalPersistentEntity<?> entity = context.getRequiredPersistentEntity(type);
            plan = new Plan(entity, attributesOf(entity), partsOf(entity, context));
            plans.put(type, plan);
        }
        return plan;
    }

    private List<IdProperty<RelationalPersistentProperty>> attributesOf(RelationalPersistentEntity<?> entity) {
        // An attribute called id is an ID without the annotation, also in a typed ID that is embedded.
        if (entity.getPersistentProperty(Id.class) != null) {
            SnowflakeIdMembers.rejectMark(entity.getType());
        }
        for (RelationalPersistentProperty property : entity) {
            if (property.isIdProperty() && property.isEntity() && !property.isAnnotationPresent(Embedded.class)) {
                IdType.requireMarkOnType(property.getType(), property.getName(), entity.getName());
            }
        }
        List<IdProperty<RelationalPersistentProperty>> attributes = properties.in(entity);
        for (IdProperty<RelationalPersistentProperty> attribute : attributes) {
            String name = attribute.property().getName();
            if (attribute.property().isEntity()) {
                throw Problem.ATTRIBUTE_NOT_SETTABLE.exception(
                        "Attribute '%s' of %s cannot get a Snowflake ID: Spring Data treats its type as an entity, because %2$s has neither a repository nor @Table"
                                .formatted(name, entity.getName()),
                        "Annotate the class with @Table.");
            }
            if (attribute.property().isAnnotationPresent(Sequence.class)) {
                throw MappingErrors.twoOrigins(name, entity.getName(), attribute.written(), "@Sequence");
            }
        }
        return attributes;
    }

    private List<RelationalPersistentProperty> partsOf(
            RelationalPersistentEntity<?> entity, RelationalMappingContext context) {
        return Streamable.of(entity)
                .filter(property -> holdsIds(property, context, new HashSet<>()))
                .toList();
    }

    private boolean holdsIds(
            RelationalPersistentProperty property, RelationalMappingContext context, Set<Class<?>> seen) {
        RelationalPersistentEntity<?> entity = context.getPersistentEntity(property);
        if (entity != null && seen.add(entity.getType())) {
            for (RelationalPersistentProperty inner : entity) {
                if (properties.annotationOf(inner) != null || holdsIds(inner, context, seen)) {
                    return true;
                }
            }
        }
        return false;
    }
}
