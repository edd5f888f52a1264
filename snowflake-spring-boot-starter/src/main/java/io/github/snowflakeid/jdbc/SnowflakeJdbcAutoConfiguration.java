package io.github.snowflakeid.jdbc;

import io.github.snowflakeid.autoconfigure.SnowflakeAutoConfiguration;
import io.github.snowflakeid.autoconfigure.SnowflakeDataSource;
import io.github.snowflakeid.internal.properties.GeneratorProperties;
import io.github.snowflakeid.internal.properties.PropertyGroup;
import io.github.snowflakeid.internal.store.ConditionalOnStore;
import io.github.snowflakeid.internal.store.OnCounters;
import java.util.List;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportRuntimeHints;

/**
 * Configures leases and counters in a database. Leases use it if {@code snowflake.worker.strategy} is {@code jdbc}.
 * They also use it if neither a strategy nor a worker ID is set, and there is a {@link DataSource} or a
 * {@code snowflake.worker.jdbc.url}. Does not need Spring Boot's JDBC module.
 *
 * <p>Stores are created after the initialization of databases, including {@link JdbcWorkerRegistry} beans of the
 * application. Flyway, Liquibase or scripts may therefore create their tables.
 *
 * @since 1.0
 */
@AutoConfiguration(before = SnowflakeAutoConfiguration.class)
@ConditionalOnStore(value = GeneratorProperties.DEFAULT_STORE, counters = true)
@PropertyGroup(JdbcProperties.class)
@Import(JdbcProperties.Unset.class)
@ImportRuntimeHints(SnowflakeJdbcAutoConfiguration.Hints.class)
public final class SnowflakeJdbcAutoConfiguration {

    SnowflakeJdbcAutoConfiguration() {}

    @Bean("snowflake.store.jdbc")
    JdbcStores snowflakeJdbcStores(
            ObjectProvider<DataSource> dataSources,
            @SnowflakeDataSource ObjectProvider<DataSource> marked,
            ConfigurableListableBeanFactory beans) {
        return new JdbcStores(dataSources, marked, beans);
    }

    /** Sequential numbers. */
    @Configuration(proxyBeanMethods = false)
    @Conditional(OnCounters.class)
    @PropertyGroup(JdbcSegmentProperties.class)
    static final class Counters {}

    /** Hints for native images. */
    static final class Hints implements RuntimeHintsRegistrar {

        @Override
        public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
            hints.resources().registerPattern("io/github/snowflakeid/jdbc/*.sql");
            // Settings are read by their names.
            List<String> pool = List.of("com.zaxxer.hikari.HikariDataSource", "com.zaxxer.hikari.util.Credentials");
            Stream.concat(pool.stream(), ServiceConnection.TYPES.stream())
                    .forEach(type -> hints.reflection()
                            .registerTypeIfPresent(classLoader, type, MemberCategory.INVOKE_PUBLIC_METHODS));
        }
    }
}
