package io.github.snowflakeid.actuate;

import io.github.snowflakeid.IdGenerator;
import io.github.snowflakeid.SnowflakeIdGenerator;
import io.github.snowflakeid.autoconfigure.SnowflakeAutoConfiguration;
import io.github.snowflakeid.worker.WorkerId;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.autoconfigure.info.ConditionalOnEnabledInfoContributor;
import org.springframework.boot.actuate.info.InfoContributor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration of what the Actuator shows of generators beside their health: {@link SnowflakeEndpoint}, where it is
 * exposed, and info, unless {@code management.info.snowflake.enabled} is false.
 */
@AutoConfiguration(after = SnowflakeAutoConfiguration.class)
@ConditionalOnClass({InfoContributor.class, ConditionalOnAvailableEndpoint.class})
@ConditionalOnBean(IdGenerator.class)
public final class SnowflakeActuatorAutoConfiguration {

    SnowflakeActuatorAutoConfiguration() {}

    @Bean("snowflake.endpoint")
    @ConditionalOnMissingBean
    @ConditionalOnAvailableEndpoint
    SnowflakeEndpoint snowflakeEndpoint(ListableBeanFactory beans) {
        return new SnowflakeEndpoint(new Generators(beans), InstantSource.system());
    }

    @Bean("snowflake.infoContributor")
    @ConditionalOnEnabledInfoContributor("snowflake")
    InfoContributor snowflakeInfoContributor(ListableBeanFactory beans) {
        Generators generators = new Generators(beans);
        return info -> {
            Map<String, Object> all = new LinkedHashMap<>();
            generators.all().forEach((name, generator) -> all.put(name, details(generator)));
            generators.ofSegments().forEach((name, generator) -> all.put(name, SegmentReport.identity(generator)));
            info.withDetail("snowflake", all);
        };
    }

    private static Map<String, Object> details(SnowflakeIdGenerator generator) {
        WorkerId worker = generator.workerId();
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("workerId", worker.workerId());
        details.put("datacenterId", worker.datacenterId());
        details.put("strategy", Generators.strategy(generator));
        details.put("origin", worker.origin());
        details.put("layout", GeneratorReport.details(generator.layout()));
        return details;
    }
}
