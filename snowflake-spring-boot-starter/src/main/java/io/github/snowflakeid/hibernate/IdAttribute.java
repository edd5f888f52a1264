package io.github.snowflakeid.hibernate;

import io.github.snowflakeid.IdGenerator;
import io.github.snowflakeid.internal.mapping.IdType;
import java.util.function.Supplier;
import org.hibernate.service.ServiceRegistry;
import org.jspecify.annotations.Nullable;

/**
 * An attribute that gets IDs.
 *
 * @param name the attribute and its entity, for messages
 * @param type the type that the IDs are converted to
 * @param ids supplies the generator. It throws an exception if no setting of the {@code EntityManagerFactory} defines
 *     one: that is an error only when an ID is needed, because tools such as Spring Data's ahead-of-time processing
 *     create factories only to inspect the mapping.
 */
record IdAttribute(String name, IdType type, Supplier<IdGenerator> ids) {

    static IdAttribute of(
            String annotation,
            String owner,
            String name,
            Class<?> javaType,
            String generator,
            ServiceRegistry services) {
        String attribute = "'" + name + "' of " + owner;
        IdType type = IdType.of(javaType, name, owner, annotation);
        @Nullable Supplier<IdGenerator> ids = IdSettings.of(services).ids(generator, attribute);
        if (ids == null) {
            return new IdAttribute(attribute, type, () -> {
                throw IdSettings.missing(generator, attribute);
            });
        }
        if (type.isInteger()) {
            type.requireRoom(ids.get(), generator, name, owner, annotation);
        }
        return new IdAttribute(attribute, type, ids);
    }

    Object keepOrGenerate(@Nullable Object value) {
        return value != null && type.isSet(value) ? value : generate();
    }

    Object generate() {
        return type.convert(ids.get().nextId());
    }
}
