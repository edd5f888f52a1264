package io.github.snowflakeid.publicid.data;

import io.github.snowflakeid.internal.beans.BeanChange;
import io.github.snowflakeid.internal.text.IdTextConverter;
import io.github.snowflakeid.internal.text.NoSuchIdException;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.core.convert.ConversionService;
import org.springframework.core.convert.TypeDescriptor;
import org.springframework.core.convert.converter.ConditionalGenericConverter;
import org.springframework.data.mapping.PersistentProperty;
import org.springframework.data.repository.support.DomainClassConverter;
import org.springframework.data.repository.support.Repositories;
import org.springframework.format.support.FormattingConversionService;
import org.springframework.util.function.SingletonSupplier;

/**
 * Auto-configuration of parameters that are entities of Spring Data: a request contains the ID of the entity in the
 * text form that the annotations of the ID choose.
 *
 * @since 1.0
 */
@AutoConfiguration
@ConditionalOnClass(DomainClassConverter.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
public final class SnowflakeEntityConverterAutoConfiguration {

    SnowflakeEntityConverterAutoConfiguration() {}

    @Bean("snowflake.entityConverter")
    static BeanPostProcessor snowflakeEntityConverter(ListableBeanFactory beans, ObjectProvider<IdTextConverter> ids) {
        return new BeanChange((bean, name) -> {
            // Spring Data has registered its converter, and the converter that is registered last has precedence.
            if (name.equals("mvcConversionService") && bean instanceof FormattingConversionService service) {
                service.addConverter(new EntityConverter(
                        SingletonSupplier.of(() -> new Repositories(beans)), ids.getObject(), service));
            }
            return bean;
        });
    }

    /**
     * Converts the text of an ID to the entity with this ID, and entities to the texts of their IDs. It takes precedence
     * over the {@code DomainClassConverter} of Spring Data, which does not know the annotations of an ID and would read and
     * write the number.
     *
     * @param usual the conversion service of Spring MVC, which finds an entity by its ID
     */
    record EntityConverter(Supplier<Repositories> repositories, IdTextConverter ids, ConversionService usual)
            implements ConditionalGenericConverter {

        /**
         * Includes {@link String}, because Spring tries these pairs before the pair of two objects that Spring Data has
         * registered.
         */
        @Override
        public Set<ConvertiblePair> getConvertibleTypes() {
            return Set.of(
                    new ConvertiblePair(String.class, Object.class), new ConvertiblePair(Object.class, String.class));
        }

        @Override
        public boolean matches(TypeDescriptor from, TypeDescriptor to) {
            return idOf(entity(from, to), repositories.get(), ids).isPresent();
        }

        @Override
        public @Nullable Object convert(@Nullable Object value, TypeDescriptor from, TypeDescriptor to) {
            if (value == null || value.equals("")) {
                return null;
            }
            Class<?> entity = entity(from, to);
            TypeDescriptor id = idOf(entity, repositories.get(), ids).orElseThrow();
            if (from.getType() != String.class) {
                return ids.convert(
                        repositories.get().getEntityInformationFor(entity).getId(value), id, to);
            }
            try {
                Object found = usual.convert(ids.convert(value, from, id), id, to);
                if (found != null) {
                    return found;
                }
            } catch (IllegalArgumentException e) {
                // Answered like a text without a row.
            }
            throw new NoSuchIdException();
        }

        private static Class<?> entity(TypeDescriptor from, TypeDescriptor to) {
            return (from.getType() == String.class ? to : from).getType();
        }

        /** Returns the ID attribute of an entity that has a repository, if its annotations choose a text form. */
        static Optional<TypeDescriptor> idOf(Class<?> entity, Repositories repositories, IdTextConverter ids) {
            return Optional.of(entity)
                    .filter(repositories::hasRepositoryFor)
                    .flatMap(type -> Optional.<PersistentProperty<?>>ofNullable(
                            repositories.getPersistentEntity(type).getIdProperty()))
                    .map(id -> IdTextConverter.described(id.getOwner().getType(), id.getName()))
                    .filter(id -> ids.matches(TypeDescriptor.valueOf(String.class), id));
        }
    }
}
