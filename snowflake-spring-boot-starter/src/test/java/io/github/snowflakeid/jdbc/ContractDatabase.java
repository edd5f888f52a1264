package io.github.snowflakeid.jdbc;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.util.function.Consumer;
import org.springframework.jdbc.core.JdbcTemplate;

/** Databases and settings of their connections with which stores must keep their contract. */
enum ContractDatabase {
    H2(Databases.H2, pool -> {}),
    HSQLDB(Databases.HSQLDB, pool -> {}),
    POSTGRESQL(Databases.POSTGRESQL, pool -> {}),
    MARIADB(Databases.MARIADB, pool -> {}),
    POSTGRESQL_WITH_REPEATABLE_READ(
            Databases.POSTGRESQL,
            pool -> pool.setJdbcUrl(
                    Databases.POSTGRESQL.url("options=-c+default_transaction_isolation=repeatable%5C+read"))),
    POSTGRESQL_WITH_SERIALIZABLE(
            Databases.POSTGRESQL,
            pool -> pool.setJdbcUrl(Databases.POSTGRESQL.url("options=-c+default_transaction_isolation=serializable"))),
    MARIADB_WITH_READ_UNCOMMITTED(
            Databases.MARIADB,
            pool -> pool.setConnectionInitSql("SET SESSION TRANSACTION ISOLATION LEVEL READ UNCOMMITTED")),
    MARIADB_WITH_SERIALIZABLE(
            Databases.MARIADB,
            pool -> pool.setConnectionInitSql("SET SESSION TRANSACTION ISOLATION LEVEL SERIALIZABLE")),
    /** Reports how many rows a statement has changed, not how many it has found. */
    MARIADB_WITH_AFFECTED_ROWS(
            Databases.MARIADB, pool -> pool.setJdbcUrl(Databases.MARIADB.url("useAffectedRows=true")));

    private final Databases database;
    private final Consumer<HikariConfig> option;

    ContractDatabase(Databases database, Consumer<HikariConfig> option) {
        this.database = database;
        this.option = option;
    }

    /** Returns connections to the database, in which the table does not exist. */
    HikariDataSource poolWithout(String table) {
        HikariConfig settings = database.pool();
        settings.setMaximumPoolSize(16);
        option.accept(settings);
        HikariDataSource pool = new HikariDataSource(settings);
        new JdbcTemplate(pool).execute("DROP TABLE IF EXISTS " + table);
        return pool;
    }
}
