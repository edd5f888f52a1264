package io.github.snowflakeid.jdbc;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.github.snowflakeid.segment.SegmentStore;
import io.github.snowflakeid.segment.SegmentStoreContract;
import org.junit.jupiter.api.Nested;
import org.springframework.jdbc.core.JdbcTemplate;

/** The contract of segment stores, on real servers. */
class JdbcSegmentStoreContractTests {

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

    private abstract static class Contract extends SegmentStoreContract {
        private final Databases database;
        private HikariDataSource pool;

        Contract(Databases database) {
            this.database = database;
        }

        @Override
        protected void openEmptyStore() {
            HikariConfig large = database.pool();
            large.setMaximumPoolSize(16);
            pool = new HikariDataSource(large);
            new JdbcTemplate(pool).execute("DROP TABLE IF EXISTS counters");
            new JdbcSegmentStore(pool, "counters").createTable();
        }

        @Override
        protected SegmentStore store() {
            return new JdbcSegmentStore(pool, "counters");
        }

        @Override
        protected void closeStore() {
            pool.close();
        }
    }
}
