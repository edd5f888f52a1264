package io.github.snowflakeid.publicid.feign;

import feign.Capability;
import feign.QueryMapEncoder;
import io.github.snowflakeid.internal.text.IdTextConverter;
import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.annotation.RegisterReflection;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.cloud.openfeign.FeignFormatterRegistrar;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration of IDs in paths, parameters and headers of clients of Spring Cloud OpenFeign.
 *
 * @since 1.0
 */
@AutoConfiguration
@ConditionalOnClass(FeignFormatterRegistrar.class)
@RegisterReflection(
        classes = SnowflakeFeignAutoConfiguration.QueryIds.class,
        memberCategories = MemberCategory.INVOKE_PUBLIC_METHODS)
public final class SnowflakeFeignAutoConfiguration {

    SnowflakeFeignAutoConfiguration() {}

    @Bean("snowflake.feignIds")
    FeignFormatterRegistrar snowflakeFeignIds(IdTextConverter converter) {
        return registry -> registry.addConverter(converter);
    }

    @Bean("snowflake.feignQueries")
    QueryIds snowflakeFeignQueries(IdTextConverter converter) {
        return new QueryIds(converter);
    }

    /**
     * Writes the IDs of objects that are query strings.
     *
     * @hidden public only because Feign calls it by reflection
     * @param converter writes the IDs
     */
    public record QueryIds(IdTextConverter converter) implements Capability {

        @Override
        public QueryMapEncoder enrich(QueryMapEncoder encoder) {
            return query -> {
                Map<String, Object> parameters = new LinkedHashMap<>(encoder.encode(query));
                parameters.replaceAll((name, value) -> converter.write(value, query, name));
                return parameters;
            };
        }
    }
}
