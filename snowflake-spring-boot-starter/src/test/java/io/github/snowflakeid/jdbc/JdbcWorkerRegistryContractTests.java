package io.github.snowflakeid.jdbc;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.github.snowflakeid.WorkerRegistry;
import io.github.snowflakeid.worker.WorkerRegistryContract;
import java.util.function.Consumer;
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
            super(
                    Databases.POSTGRESQL,
                    pool -> pool.setJdbcUrl(
                            Databases.POSTGRESQL.url("options=-c+default_transaction_isolation=repeatable%5C+read")));
        }
    }

    @Nested
    class OnPostgresqlWithSerializable extends Contract {
        OnPostgresqlWithSerializable() {
            super(
                    Databases.POSTGRESQL,
                    pool -> pool.setJdbcUrl(
                            Databases.POSTGRESQL.url("options=-c+default_transaction_isolation=serializable")));
        }
    }

    @Nested
    class OnMariadbWithReadUncommitted extends Contract {
        OnMariadbWithReadUncommitted() {
            super(
                    Databases.MARIADB,
                    pool -> pool.setConnectionInitSql("SET SESSION TRANSACTION ISOLATION LEVEL READ UNCOMMITTED"));
        }
    }

    @Nested
    class OnMariadbWithSerializable extends Contract {
        OnMariadbWithSerializable() {
            super(
                    Databases.MARIADB,
                    pool -> pool.setConnectionInitSql("SET SESSION TRANSACTION ISOLATION LEVEL SERIALIZABLE"));
        }
    }

    /** Reports how many rows a statement has changed, not how many it has found. */
    @Nested
    class OnMariadbWithAffectedRows extends Contract {
        OnMariadbWithAffectedRows() {
            super(Databases.MARIADB, pool -> pool.setJdbcUrl(Databases.MARIADB.url("useAffectedRows=true")));
        }
    }

    private abstract static class Contract extends WorkerRegistryContract {
        private final Databases database;
        private final Consumer<HikariConfig> option;
        private HikariDataSource pool;

        Contract(Databases database) {
            this(database, pool -> {});
        }

        /** @param option a setting of the pool, such as the isolation level that connections have by default */
        Contract(Databases database, Consumer<HikariConfig> option) {
            this.database = database;
            this.option = option;
        }

        @Override
        protected void openEmptyStore() {
            HikariConfig settings = database.pool();
            option.accept(settings);
            pool = new HikariDataSource(settings);
            new JdbcTemplate(pool).execute("DROP TABLE IF EXISTS contract");
            registry("default").read();
        }

        @Override
        protected WorkerRegistry registry(String namespace) {
            Database contract = Databases.database(StoredKind.LEASES, pool);
            return new JdbcWorkerRegistry(new StoredTable(contract, "contract", InitializeSchema.ALWAYS), namespace);
        }

        @Override
        protected void closeStore() {
            pool.close();
        }
    }
}
