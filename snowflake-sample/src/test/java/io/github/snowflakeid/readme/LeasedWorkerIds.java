package io.github.snowflakeid.readme;

import io.github.snowflakeid.jdbc.JdbcWorkerRegistry;
import io.github.snowflakeid.worker.WorkerRegistry;
import javax.sql.DataSource;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Profile;

@Configuration(proxyBeanMethods = false)
@Profile("leased-worker-ids")
class LeasedWorkerIds {

    @Bean
    @DependsOnDatabaseInitialization
    WorkerRegistry workerRegistry(DataSource dataSource) {
        return new JdbcWorkerRegistry(dataSource, "snowflake_worker", "default");
    }
}
