package io.github.snowflakeid.jdbc;

import com.zaxxer.hikari.HikariConfig;
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

    @Nested
    class OnPostgresqlWithRepeatableRead extends Contract {
        OnPostgresqlWithRepeatableRead() {
            super(Databases.POSTGRESQL, "&options=-c+default_transaction_isolation=repeatable%5C+read");
        }
    }

    @Nested
    class OnPostgresqlWithSerializable extends Contract {
        OnPostgresqlWithSerializable() {
            super(Databases.POSTGRESQL, "&options=-c+default_transaction_isolation=serializable");
        }
    }

    @Nested
    class OnMariadbWithReadUncommitted extends Contract {
        OnMariadbWithReadUncommitted() {
            super(Databases.MARIADB, "&sessionVariables=tx_isolation='READ-UNCOMMITTED'");
        }
    }

    @Nested
    class OnMariadbWithSerializable extends Contract {
        OnMariadbWithSerializable() {
            super(Databases.MARIADB, "&sessionVariables=tx_isolation='SERIALIZABLE'");
        }
    }

    /** Reports how many rows a statement has changed, not how many it has found. */
    @Nested
    class OnMariadbWithAffectedRows extends Contract {
        OnMariadbWithAffectedRows() {
            super(Databases.MARIADB, "&useAffectedRows=true");
        }
    }

    private abstract static class Contract extends WorkerRegistryContract {
        private final Databases database;
        private final String options;
        private HikariDataSource pool;

        Contract(Databases database) {
            this(database, "");
        }

        /** @param options the end of the URL, which sets the isolation level that connections have by default */
        Contract(Databases database, String options) {
            this.database = database;
            this.options = options;
        }

        @Override
        protected void openEmptyStore() {
            HikariConfig settings = database.pool();
            settings.setJdbcUrl(database.url() + options);
            pool = new HikariDataSource(settings);
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
