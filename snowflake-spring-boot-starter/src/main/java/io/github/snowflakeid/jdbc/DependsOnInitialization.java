package io.github.snowflakeid.jdbc;

import io.github.snowflakeid.mapping.IdGenerators;
import io.github.snowflakeid.store.SegmentStores;
import io.github.snowflakeid.worker.WorkerRegistry;
import java.util.HashSet;
import java.util.Set;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitializationDetector;

/**
 * Lets stores come after all initialization of databases, since that may create their table: each {@link JdbcWorkerRegistry},
 * where a bean is declared as a {@link WorkerRegistry} only, that as well, and what holds the stores of a generator of segments.
 */
final class DependsOnInitialization implements DependsOnDatabaseInitializationDetector {

    @Override
    public Set<String> detect(ConfigurableListableBeanFactory beans) {
        Set<String> registries = new HashSet<>();
        for (String name : beans.getBeanDefinitionNames()) {
            // By their names: their class is loaded where there are some.
            if (name.startsWith(IdGenerators.OURS) && name.endsWith(SegmentStores.OF_GENERATOR)) {
                registries.add(name);
            }
        }
        for (String name : beans.getBeanNamesForType(WorkerRegistry.class, true, false)) {
            Class<?> type = beans.getType(name, false);
            if (type == null || type == WorkerRegistry.class || JdbcWorkerRegistry.class.isAssignableFrom(type)) {
                registries.add(name);
            }
        }
        return registries;
    }
}
