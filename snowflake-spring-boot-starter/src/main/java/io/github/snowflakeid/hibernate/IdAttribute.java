package io.github.snowflakeid.hibernate;

import io.github.snowflakeid.IdGenerator;
import io.github.snowflakeid.internal.mapping.IdType;
import java.util.function.Supplier;
import org.hibernate.service.ServiceRegistry;
import org.jspecify.annotations.Nullable;

/**
 * An attribute that gets ids.
 *
 * @param name the attribute and its entity, for messages
 * @param type what the ids are converted to
 * @param generator the name of the generator, empty for the one without
 * @param ids where they come from; null if the {@code EntityManagerFactory} was not told. That is an error only when an
 *     id is needed: tools make factories just to look at the mapping, as Spring Data's ahead-of-time processing does.
 */
record IdAttribute(
        String name,
        IdType type,
        String generator,
        @Nullable Supplier<IdGenerator> ids) {

    static IdAttribute of(
            String annotation,
            String owner,
            String name,
            Class<?> javaType,
            String generator,
            ServiceRegistry services) {
        String attribute = "'" + name + "' of " + owner;
        IdType type = IdType.of(javaType, name, owner, annotation);
        Supplier<IdGenerator> ids = IdSettings.of(services).ids(generator, attribute);
        if (ids != null && type.isInteger()) {
            type.requireRoom(ids.get(), generator, name, owner, annotation);
        }
        return new IdAttribute(attribute, type, generator, ids);
    }

    Object keepOrMake(@Nullable Object value) {
        return value != null && type.isSet(value) ? value : make();
    }

    Object make() {
        if (ids == null) {
            throw IdSettings.missing(generator, name);
        }
        return type.convert(ids.get().nextId());
    }
}
