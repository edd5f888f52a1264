package io.github.snowflakeid.publicid.data;

import io.github.snowflakeid.internal.text.IdTextConverter;
import io.github.snowflakeid.internal.text.PublicIdErrors;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.core.MethodParameter;
import org.springframework.core.convert.TypeDescriptor;
import org.springframework.data.repository.support.Repositories;
import org.springframework.data.rest.core.mapping.MethodResourceMapping;
import org.springframework.data.rest.core.mapping.RepositoryResourceMappings;
import org.springframework.data.rest.core.mapping.SearchResourceMappings;

/**
 * Auto-configuration that rejects entities whose paths, links and searches in Spring Data REST would contain numbers
 * instead of the text form of IDs.
 *
 * @since 1.0
 */
@AutoConfiguration
@ConditionalOnClass(RepositoryResourceMappings.class)
public final class SnowflakeDataRestAutoConfiguration {

    SnowflakeDataRestAutoConfiguration() {}

    @Bean("snowflake.dataRestCheck")
    SmartInitializingSingleton snowflakeDataRestCheck(
            ObjectProvider<RepositoryResourceMappings> mappings, ListableBeanFactory beans, IdTextConverter ids) {
        return () -> mappings.ifAvailable(resources -> {
            Repositories repositories = new Repositories(beans);
            resources.filter(resource -> resource.isExported()).forEach(resource -> {
                Class<?> entity = resource.getDomainType();
                Stream.concat(
                                SnowflakeEntityConverterAutoConfiguration.EntityConverter.idOf(
                                        entity, repositories, ids)
                                        .stream(),
                                parameters(resources.getSearchResourceMappings(entity)))
                        .map(ids::formOf)
                        .filter(Objects::nonNull)
                        .findFirst()
                        .ifPresent(form -> {
                            throw PublicIdErrors.exported(form, entity.getName());
                        });
            });
        });
    }

    private static Stream<TypeDescriptor> parameters(SearchResourceMappings searches) {
        return searches.getExportedMappings()
                .map(MethodResourceMapping::getMethod)
                .flatMap(method -> IntStream.range(0, method.getParameterCount())
                        .mapToObj(index -> new TypeDescriptor(new MethodParameter(method, index))));
    }
}
