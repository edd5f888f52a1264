package io.github.snowflakeid.jdbc;

import io.github.snowflakeid.worker.WorkerRegistry;
import java.util.HashSet;
import java.util.Set;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitializationDetector;

/**
 * Lets registries of leases come after all initialization of databases, since that may create their table: each {@link
 * JdbcWorkerRegistry}, and where a bean is declared as a {@link WorkerRegistry} only, that as well.
 */
final class DependsOnInitialization implements DependsOnDatabaseInitializationDetector {

    @Override
    public Set<String> detect(ConfigurableListableBeanFactory beans) {
        Set<String> registries = new HashSet<>();
        for (String name : beans.getBeanNamesForType(WorkerRegistry.class, true, false)) {
            Class<?> type = beans.getType(name, false);
            if (type == null || type == WorkerRegistry.class || JdbcWorkerRegistry.class.isAssignableFrom(type)) {
                registries.add(name);
            }
        }
        return registries;
    }
}
