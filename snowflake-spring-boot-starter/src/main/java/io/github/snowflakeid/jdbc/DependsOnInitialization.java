package io.github.snowflakeid.jdbc;

import io.github.snowflakeid.internal.store.OpenedStore;
import io.github.snowflakeid.worker.WorkerRegistry;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitializationDetector;

/**
 * Lets Spring create stores after the initialization of databases, which may create their tables. This applies to the
 * stores of the auto-configured generators, and to the application's {@link WorkerRegistry} beans that are declared as
 * a {@link JdbcWorkerRegistry} or as the interface.
 */
final class DependsOnInitialization implements DependsOnDatabaseInitializationDetector {

    @Override
    public Set<String> detect(ConfigurableListableBeanFactory beans) {
        Set<String> stores = new HashSet<>(List.of(beans.getBeanNamesForType(OpenedStore.class, true, false)));
        for (String name : beans.getBeanNamesForType(WorkerRegistry.class, true, false)) {
            Class<?> type = beans.getType(name, false);
            if (type == null || type == WorkerRegistry.class || JdbcWorkerRegistry.class.isAssignableFrom(type)) {
                stores.add(name);
            }
        }
        return stores;
    }
}
