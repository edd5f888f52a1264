package io.github.snowflakeid.jdbc;

import io.github.snowflakeid.WorkerRegistry;
import io.github.snowflakeid.internal.store.GeneratorStores;
import java.util.Set;
import org.springframework.boot.sql.init.dependency.AbstractBeansOfTypeDependsOnDatabaseInitializationDetector;

/**
 * Lets Spring create stores after the initialization of databases, which may create their tables. This applies to the
 * stores of the auto-configured generators, and to the application's {@link WorkerRegistry} beans.
 */
final class DependsOnInitialization extends AbstractBeansOfTypeDependsOnDatabaseInitializationDetector {

    @Override
    protected Set<Class<?>> getDependsOnDatabaseInitializationBeanTypes() {
        return Set.of(GeneratorStores.class, WorkerRegistry.class);
    }
}
