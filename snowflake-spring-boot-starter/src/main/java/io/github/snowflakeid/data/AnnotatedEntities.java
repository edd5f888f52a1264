package io.github.snowflakeid.data;

import io.github.snowflakeid.failure.ConfigurationException;
import io.github.snowflakeid.internal.data.IdProperties;
import io.github.snowflakeid.internal.data.IdProperty;
import io.github.snowflakeid.internal.failure.Problem;
import io.github.snowflakeid.internal.mapping.IdGenerators;
import io.github.snowflakeid.internal.mapping.IdType;
import io.github.snowflakeid.internal.mapping.MappingErrors;
import io.github.snowflakeid.internal.mapping.SnowflakeIdMembers;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.data.annotation.Id;
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

    private final ObjectProvider<? extends RelationalMappingContext> contexts;
    private final IdProperties<RelationalPersistentProperty> properties;
    private final Map<Class<?>, Plan> plans = new ConcurrentHashMap<>();
    private final UnsavedRows unsaved;

    /**
     * @param contexts one for each database
     * @param database the types of beans that exist once if there is one database
     */
    AnnotatedEntities(
            ObjectProvider<? extends RelationalMappingContext> contexts,
            ConfigurableListableBeanFactory beans,
            Class<?>... database) {
        this.contexts = contexts;
        properties = new IdProperties<>(new IdGenerators(beans));
        unsaved = new UnsavedRows(() -> Stream.of(database)
                .allMatch(type -> BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, type).length == 1));
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

    UnsavedRows unsaved() {
        return unsaved;
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
