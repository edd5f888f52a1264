package io.github.snowflakeid.publicid.data;

import io.github.snowflakeid.internal.text.IdTextConverter;
import io.github.snowflakeid.internal.text.PublicIdErrors;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.data.repository.support.Repositories;
import org.springframework.data.rest.core.mapping.RepositoryResourceMappings;

/**
 * Auto-configuration that rejects entities whose paths and links in Spring Data REST would contain numbers instead of the text form of their
 * IDs.
 *
 * @since 0.1.0
 */
@AutoConfiguration
@ConditionalOnClass(RepositoryResourceMappings.class)
public final class SnowflakeDataRestAutoConfiguration {

    SnowflakeDataRestAutoConfiguration() {}

    @Bean("snowflake.dataRestCheck")
    SmartInitializingSingleton snowflakeDataRestCheck(
            ObjectProvider<RepositoryResourceMappings> mappings, ListableBeanFactory beans, IdTextConverter ids) {
        return () -> mappings.ifAvailable(resources -> resources
                .filter(resource -> resource.isExported())
                .forEach(resource -> EntityConverter.idOf(resource.getDomainType(), new Repositories(beans), ids)
                        .map(ids::formOf)
                        .ifPresent(form -> {
                            throw PublicIdErrors.exported(
                                    form, resource.getDomainType().getName());
                        })));
    }
}
