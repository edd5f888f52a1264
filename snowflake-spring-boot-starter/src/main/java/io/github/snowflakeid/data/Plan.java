package io.github.snowflakeid.data;

import io.github.snowflakeid.IdGenerator;
import io.github.snowflakeid.internal.data.IdProperty;
import io.github.snowflakeid.internal.mapping.IdType;
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.IncorrectUpdateSemanticsDataAccessException;
import org.springframework.data.mapping.Parameter;
import org.springframework.data.mapping.PersistentPropertyAccessor;
import org.springframework.data.mapping.model.EntityInstantiators;
import org.springframework.data.mapping.model.ParameterValueProvider;
import org.springframework.data.relational.core.mapping.RelationalPersistentEntity;
import org.springframework.data.relational.core.mapping.RelationalPersistentProperty;

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

    @Nullable
    Object versionOf(Object object) {
        RelationalPersistentProperty version = entity.getVersionProperty();
        return version == null ? null : entity.getPropertyAccessor(object).getProperty(version);
    }

    /** @param insert the method that inserts an object whose ID is set */
    IncorrectUpdateSemanticsDataAccessException noSuchRow(Object saved, String insert) {
        return new IncorrectUpdateSemanticsDataAccessException(
                "%s with ID %s was not saved: Spring Data updates objects whose ID is set, but there is no such row. To insert a new row, leave '%s' %s so that @SnowflakeId sets it, or call %s"
                        .formatted(
                                entity.getName(),
                                idOf(saved),
                                idAttribute(),
                                IdType.plain(entity.getRequiredIdProperty().getType()) == null ? "null" : "unset",
                                insert));
    }
}
