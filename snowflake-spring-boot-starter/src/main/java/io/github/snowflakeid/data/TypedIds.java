package io.github.snowflakeid.data;

import io.github.snowflakeid.internal.mapping.IdType;
import io.github.snowflakeid.internal.mapping.SnowflakeIdMembers;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.convert.converter.GenericConverter;
import org.springframework.core.convert.support.DefaultConversionService;
import org.springframework.data.convert.ConverterBuilder;
import org.springframework.data.convert.CustomConversions;
import org.springframework.data.relational.RelationalManagedTypes;
import org.springframework.data.relational.core.mapping.Embedded;
import org.springframework.data.relational.core.mapping.RelationalMappingContext;
import org.springframework.data.relational.core.mapping.RelationalPersistentEntity;
import org.springframework.data.relational.core.mapping.RelationalPersistentProperty;
import org.springframework.data.repository.core.support.AbstractRepositoryMetadata;
import org.springframework.util.ClassUtils;

/**
 * Finds typed IDs among the attributes of entities. Only entities with {@code @Table} and entities of repositories are
 * examined, because no others are known before Spring Data maps the first entity. Types that are embedded somewhere and
 * types that the application converts itself are skipped.
 */
final class TypedIds {

    private TypedIds() {}

    /**
     * Returns the typed IDs that need converters.
     *
     * @param repositories the class of the repositories' factory beans
     * @param conversions the conversions of the application
     */
    static List<IdType> in(
            ConfigurableListableBeanFactory beans, Class<?> repositories, CustomConversions conversions) {
        RelationalMappingContext context = new RelationalMappingContext();
        context.setSimpleTypeHolder(conversions.getSimpleTypeHolder());
        context.setInitialEntitySet(entities(beans, repositories));
        context.initialize();
        SnowflakeIdMembers annotated = new SnowflakeIdMembers();
        Map<Class<?>, IdType> types = new HashMap<>();
        Set<Class<?>> embedded = new HashSet<>();
        for (RelationalPersistentEntity<?> entity : context.getPersistentEntities()) {
            annotated.typedIdsIn(entity.getType()).forEach(type -> types.put(type.javaType(), type));
            for (RelationalPersistentProperty property : entity) {
                if (property.isAnnotationPresent(Embedded.class)) {
                    embedded.add(property.getType());
                }
            }
        }
        types.keySet().removeIf(type -> embedded.contains(type) || conversions.hasCustomWriteTarget(type));
        return List.copyOf(types.values());
    }

    private static Set<Class<?>> entities(ConfigurableListableBeanFactory beans, Class<?> repositories) {
        Set<Class<?>> entities = new HashSet<>();
        beans.getBeanProvider(RelationalManagedTypes.class).forEach(managed -> managed.forEach(entities::add));
        for (String factory : beans.getBeanNamesForType(repositories, true, false)) {
            @Nullable Class<?> repository = beans.getType(BeanFactoryUtils.transformedBeanName(factory), false);
            if (repository != null && repository.isInterface()) {
                entities.add(AbstractRepositoryMetadata.getMetadata(repository).getDomainType());
            }
        }
        return entities;
    }

    /**
     * Returns converters between a typed ID and a column. A database may return a column as another number type than the
     * component's.
     */
    @SuppressWarnings("unchecked") // All values are instances of these types.
    static Stream<GenericConverter> converters(IdType type) {
        Class<Object> javaType = (Class<Object>) type.javaType();
        Class<Object> plainType = (Class<Object>) ClassUtils.resolvePrimitiveIfNecessary(type.plainType());
        Function<Object, Object> wrap = value -> wrap(type, value);
        return Stream.of(
                        ConverterBuilder.writing(javaType, plainType, type::unwrap),
                        ConverterBuilder.reading(Long.class, javaType, wrap),
                        ConverterBuilder.reading(Integer.class, javaType, wrap),
                        ConverterBuilder.reading(BigDecimal.class, javaType, wrap),
                        ConverterBuilder.reading(BigInteger.class, javaType, wrap),
                        ConverterBuilder.reading(String.class, javaType, wrap))
                .flatMap(builder -> builder.getConverters().stream());
    }

    /** Wraps the value of a column. */
    static Object wrap(IdType type, Object value) {
        return type.wrap(Objects.requireNonNull(DefaultConversionService.getSharedInstance()
                .convert(value, ClassUtils.resolvePrimitiveIfNecessary(type.plainType()))));
    }
}
