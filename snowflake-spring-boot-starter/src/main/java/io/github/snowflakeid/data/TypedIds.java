package io.github.snowflakeid.data;

import io.github.snowflakeid.SnowflakeId;
import io.github.snowflakeid.internal.mapping.IdType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.ResolvableType;
import org.springframework.core.convert.TypeDescriptor;
import org.springframework.core.convert.converter.GenericConverter;
import org.springframework.core.convert.support.DefaultConversionService;
import org.springframework.data.convert.CustomConversions;
import org.springframework.data.convert.ReadingConverter;
import org.springframework.data.convert.WritingConverter;
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
     * Returns converters between typed IDs and columns.
     *
     * @param repositories the class of the repositories' factory beans
     * @param conversions the conversions of the application
     */
    static List<Object> converters(
            ConfigurableListableBeanFactory beans, Class<?> repositories, CustomConversions conversions) {
        RelationalMappingContext context = new RelationalMappingContext();
        context.setSimpleTypeHolder(conversions.getSimpleTypeHolder());
        context.setInitialEntitySet(entities(beans, repositories));
        context.initialize();
        Map<Class<?>, IdType> types = new HashMap<>();
        Set<Class<?>> embedded = new HashSet<>();
        for (RelationalPersistentEntity<?> entity : context.getPersistentEntities()) {
            for (RelationalPersistentProperty property : entity) {
                for (IdType type : typesOf(property)) {
                    types.put(type.javaType(), type);
                    if (property.isAnnotationPresent(Embedded.class)) {
                        embedded.add(type.javaType());
                    }
                }
            }
        }
        types.keySet().removeIf(type -> embedded.contains(type) || conversions.hasCustomWriteTarget(type));
        return types.values().stream()
                .<Object>mapMulti((type, converters) -> {
                    converters.accept(new Reader(type));
                    converters.accept(new Writer(type));
                })
                .toList();
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

    /** Returns the typed IDs in the type of an attribute, including type arguments such as elements and keys. */
    private static List<IdType> typesOf(RelationalPersistentProperty property) {
        boolean isAnnotated = property.isAnnotationPresent(SnowflakeId.class);
        Set<Class<?>> candidates = new HashSet<>(List.of(property.getType(), property.getActualType()));
        if (property.getField() != null) {
            Class<?> owner = property.getOwner().getType();
            for (ResolvableType argument :
                    ResolvableType.forField(property.getField(), owner).getGenerics()) {
                candidates.add(argument.toClass());
            }
        }
        return candidates.stream()
                .map(IdType::of)
                .filter(type -> type != null && type.isTyped() && (isAnnotated || type.isMarked()))
                .toList();
    }

    /** Converts columns to typed IDs. A database may return a column as another number type than the component's. */
    @ReadingConverter
    private record Reader(IdType type) implements GenericConverter {

        @Override
        public Set<ConvertiblePair> getConvertibleTypes() {
            return Stream.of(Long.class, Integer.class, BigDecimal.class, BigInteger.class, String.class)
                    .map(column -> new ConvertiblePair(column, type.javaType()))
                    .collect(Collectors.toSet());
        }

        @Override
        public @Nullable Object convert(@Nullable Object source, TypeDescriptor sourceType, TypeDescriptor targetType) {
            return source == null
                    ? null
                    : type.wrap(Objects.requireNonNull(DefaultConversionService.getSharedInstance()
                            .convert(source, ClassUtils.resolvePrimitiveIfNecessary(type.plainType()))));
        }
    }

    @WritingConverter
    private record Writer(IdType type) implements GenericConverter {

        @Override
        public Set<ConvertiblePair> getConvertibleTypes() {
            return Set.of(
                    new ConvertiblePair(type.javaType(), ClassUtils.resolvePrimitiveIfNecessary(type.plainType())));
        }

        @Override
        public @Nullable Object convert(@Nullable Object source, TypeDescriptor sourceType, TypeDescriptor targetType) {
            return type.unwrap(source);
        }
    }
}
