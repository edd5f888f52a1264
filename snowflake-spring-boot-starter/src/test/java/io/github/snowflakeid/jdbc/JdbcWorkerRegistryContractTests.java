package io.github.snowflakeid.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import io.github.snowflakeid.worker.WorkerRegistry;
import io.github.snowflakeid.worker.WorkerRegistryContract;
import org.junit.jupiter.api.Nested;
import org.springframework.jdbc.core.JdbcTemplate;

/** The contract of registries, on real servers. */
class JdbcWorkerRegistryContractTests {

    @Nested
    class OnH2 extends Contract {
        OnH2() {
            super(Databases.H2);
        }
    }

    @Nested
    class OnHsqldb extends Contract {
        OnHsqldb() {
            super(Databases.HSQLDB);
        }
    }

    @Nested
    class OnPostgresql extends Contract {
        OnPostgresql() {
            super(Databases.POSTGRESQL);
        }
    }

    @Nested
    class OnMariadb extends Contract {
        OnMariadb() {
            super(Databases.MARIADB);
        }
    }

    private abstract static class Contract extends WorkerRegistryContract {
        private final Databases database;
        private HikariDataSource pool;

        Contract(Databases database) {
            this.database = database;
        }

        @Override
        protected void openEmptyStore() {
            pool = database.open();
            new JdbcTemplate(pool).execute("DROP TABLE IF EXISTS contract");
            new JdbcWorkerRegistry(pool, "contract", "default").createTable();
        }

        @Override
        protected WorkerRegistry registry(String namespace) {
            return new JdbcWorkerRegistry(pool, "contract", namespace);
        }

        @Override
        protected void closeStore() {
            pool.close();
        }
    }
}
