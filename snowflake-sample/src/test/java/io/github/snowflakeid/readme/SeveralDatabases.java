package io.github.snowflakeid.readme;

import io.github.snowflakeid.autoconfigure.SnowflakeDataSource;
import javax.sql.DataSource;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.jdbc.DataSourceBuilder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.context.annotation.Profile;

@Configuration(proxyBeanMethods = false)
@Profile("several-databases")
class SeveralDatabases {

    @Bean
    @Primary
    DataSource ownDatabase() {
        return DataSourceBuilder.create().url("jdbc:h2:mem:own").build();
    }

    @Bean
    @SnowflakeDataSource
    @ConfigurationProperties("shop.shared-database")
    DataSource sharedDatabase() {
        return DataSourceBuilder.create().build();
    }
}
