package io.github.snowflakeid.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import io.github.snowflakeid.WorkerRegistry;
import io.github.snowflakeid.worker.WorkerRegistryContract;
import org.junit.jupiter.api.Nested;

/** The contract of registries, on real servers. */
class JdbcWorkerRegistryContractTests {

    @Nested
    class OnH2 extends Contract {
        OnH2() {
            super(ContractDatabase.H2);
        }
    }

    @Nested
    class OnHsqldb extends Contract {
        OnHsqldb() {
            super(ContractDatabase.HSQLDB);
        }
    }

    @Nested
    class OnPostgresql extends Contract {
        OnPostgresql() {
            super(ContractDatabase.POSTGRESQL);
        }
    }

    @Nested
    class OnMariadb extends Contract {
        OnMariadb() {
            super(ContractDatabase.MARIADB);
        }
    }

    @Nested
    class OnPostgresqlWithRepeatableRead extends Contract {
        OnPostgresqlWithRepeatableRead() {
            super(ContractDatabase.POSTGRESQL_WITH_REPEATABLE_READ);
        }
    }

    @Nested
    class OnPostgresqlWithSerializable extends Contract {
        OnPostgresqlWithSerializable() {
            super(ContractDatabase.POSTGRESQL_WITH_SERIALIZABLE);
        }
    }

    @Nested
    class OnMariadbWithReadUncommitted extends Contract {
        OnMariadbWithReadUncommitted() {
            super(ContractDatabase.MARIADB_WITH_READ_UNCOMMITTED);
        }
    }

    @Nested
    class OnMariadbWithSerializable extends Contract {
        OnMariadbWithSerializable() {
            super(ContractDatabase.MARIADB_WITH_SERIALIZABLE);
        }
    }

    @Nested
    class OnMariadbWithAffectedRows extends Contract {
        OnMariadbWithAffectedRows() {
            super(ContractDatabase.MARIADB_WITH_AFFECTED_ROWS);
        }
    }

    private abstract static class Contract extends WorkerRegistryContract {
        private final ContractDatabase database;
        private HikariDataSource pool;

        Contract(ContractDatabase database) {
            this.database = database;
        }

        @Override
        protected void openEmptyStore() {
            pool = database.poolWithout("contract");
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
