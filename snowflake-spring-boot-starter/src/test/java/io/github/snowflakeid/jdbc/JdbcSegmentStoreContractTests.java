package io.github.snowflakeid.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import io.github.snowflakeid.segment.SegmentStore;
import io.github.snowflakeid.segment.SegmentStoreContract;
import org.junit.jupiter.api.Nested;

/** The contract of segment stores, on real servers. */
class JdbcSegmentStoreContractTests {

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

    private abstract static class Contract extends SegmentStoreContract {
        private final ContractDatabase database;
        private HikariDataSource pool;

        Contract(ContractDatabase database) {
            this.database = database;
        }

        @Override
        protected void openEmptyStore() {
            pool = database.poolWithout("counters");
            store().read("any");
        }

        @Override
        protected SegmentStore store() {
            Database counters = Databases.database(StoredKind.COUNTERS, pool);
            return new JdbcSegmentStore(new StoredTable(counters, "counters", InitializeSchema.ALWAYS));
        }

        @Override
        protected void closeStore() {
            pool.close();
        }
    }
}
