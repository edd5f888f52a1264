package io.github.snowflakeid.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.github.snowflakeid.WorkerIdUnavailableException;
import io.github.snowflakeid.WorkerRegistry.Claim;
import io.github.snowflakeid.WorkerRegistry.Entry;
import io.github.snowflakeid.failure.ConfigurationException;
import io.github.snowflakeid.internal.failure.Problem;
import io.github.snowflakeid.segment.NumbersUnavailableException;
import io.github.snowflakeid.segment.SegmentStore.Counter;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.AbstractDataSource;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

/** Leases and counters are in one table, whatever schema the application leaves its connections in. */
@Tag("servers")
class TableLocatorTests {

    private static final Duration TTL = Duration.ofSeconds(60);
    private static final String[] SCHEMAS = {"located", "tenant-a", "Tenant_B"};
    private static final String[] TABLES = {"snowflake_worker", "snowflake_counter"};

    private static Claim claim(int workerId) {
        return Claim.of(
                0, workerId, "owner " + workerId, "test", Instant.EPOCH, Instant.ofEpochMilli(1), "some layout");
    }

    /** Returns the statement that selects the schema, or on MariaDB the database, of a session. */
    private static String use(Databases database, String schema) {
        return switch (database) {
            case POSTGRESQL -> "SET search_path TO \"" + schema + "\"";
            case MARIADB -> "USE `" + schema + "`";
            default -> "SET SCHEMA \"" + schema + "\"";
        };
    }

    private static String quoted(Databases database, String name) {
        return database == Databases.MARIADB ? "`" + name + "`" : "\"" + name + "\"";
    }

    /** Creates empty tables in the main schema and in the schemas of three tenants. */
    private static void createTables(Databases database, DataSource admin) {
        JdbcTemplate sql = new JdbcTemplate(admin);
        for (String schema : SCHEMAS) {
            String quoted = quoted(database, schema);
            sql.execute("DROP SCHEMA IF EXISTS " + quoted + (database == Databases.MARIADB ? "" : " CASCADE"));
            sql.execute("CREATE SCHEMA " + quoted);
            new JdbcWorkerRegistry(admin, quoted + ".snowflake_worker", "default")
                    .initializeSchema(InitializeSchema.ALWAYS)
                    .read();
            new JdbcSegmentStore(admin, quoted + ".snowflake_counter")
                    .initializeSchema(InitializeSchema.ALWAYS)
                    .read("any");
        }
        for (String table : TABLES) {
            sql.execute("DROP TABLE IF EXISTS " + table);
        }
        new JdbcWorkerRegistry(admin, "snowflake_worker", "default")
                .initializeSchema(InitializeSchema.ALWAYS)
                .read();
        new JdbcSegmentStore(admin, "snowflake_counter")
                .initializeSchema(InitializeSchema.ALWAYS)
                .read("any");
    }

    private static HikariConfig poolOfOne(Databases database) {
        HikariConfig one = database.pool();
        one.setMaximumPoolSize(1);
        return one;
    }

    private static List<String> owners(DataSource admin, String table) {
        return new JdbcTemplate(admin).queryForList("SELECT owner FROM " + table, String.class);
    }

    @ParameterizedTest
    @EnumSource
    void tableStaysTheSameIfConnectionsAreLeftInTheSchemaOfATenant(Databases database) {
        try (HikariDataSource admin = database.open();
                HikariDataSource pool = new HikariDataSource(poolOfOne(database))) {
            createTables(database, admin);
            for (DataSource source : List.of(pool, new OpaqueDataSource(pool))) {
                createTables(database, admin);
                JdbcWorkerRegistry registry = new JdbcWorkerRegistry(source, "snowflake_worker", "default");
                JdbcSegmentStore store = new JdbcSegmentStore(source, "snowflake_counter");
                assertThat(registry.read().entries()).isEmpty();
                assertThat(store.read("orders")).isNull();
                new JdbcTemplate(pool).execute(use(database, "tenant-a"));

                assertThat(registry.acquire(null, claim(1), TTL)).isTrue();
                assertThat(registry.renew(claim(1), Instant.ofEpochMilli(2), TTL))
                        .isTrue();
                assertThat(store.write("orders", null, new Counter(1, 1, 100, "token")))
                        .isTrue();

                assertThat(owners(admin, "snowflake_worker")).containsExactly("owner 1");
                assertThat(registry.read().entries())
                        .extracting(Entry::workerId)
                        .containsExactly(1);
                assertThat(store.read("orders")).isEqualTo(new Counter(1, 1, 100, "token"));
                for (String schema : SCHEMAS) {
                    assertThat(owners(admin, quoted(database, schema) + ".snowflake_worker"))
                            .isEmpty();
                }
                pool.getHikariPoolMXBean().softEvictConnections();
            }
        }
    }

    private static ConfigurationException detail(@Nullable Throwable rejected) {
        assertThat(rejected).isInstanceOfAny(WorkerIdUnavailableException.class, NumbersUnavailableException.class);
        assertThat(rejected.getCause()).isInstanceOf(ConfigurationException.class);
        return (ConfigurationException) rejected.getCause();
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void connectionInAnotherSchemaThanANewSessionIsRejectedWithBothTables(Databases database) {
        try (HikariDataSource admin = database.open();
                HikariDataSource pool = new HikariDataSource(poolOfOne(database))) {
            createTables(database, admin);
            DataSource unknown = new OpaqueDataSource(pool);
            new JdbcTemplate(pool).execute(use(database, "tenant-a"));
            String main = database == Databases.MARIADB ? "leases" : "public";

            ConfigurationException leases =
                    detail(catchThrowable(() -> new JdbcWorkerRegistry(unknown, "snowflake_worker", "default").read()));
            assertThat(leases)
                    .hasMessage(
                            "Table 'snowflake_worker' of worker IDs is ambiguous: the connection at hand finds %s, a new connection finds %s. Instances that use different tables could issue the same IDs",
                            quoted(database, "tenant-a") + ".snowflake_worker",
                            (database == Databases.MARIADB ? "`leases`" : main) + ".snowflake_worker");
            assertThat(leases.anchor()).isEqualTo(Problem.AMBIGUOUS_TABLE.anchor());
            assertThat(leases.action().orElseThrow())
                    .contains("snowflake.worker.jdbc.table-name: " + main + ".snowflake_worker\n")
                    .endsWith("snowflake.worker.jdbc.table-name: tenant-a.snowflake_worker");
            assertThat(detail(catchThrowable(() -> new JdbcSegmentStore(unknown, "snowflake_counter").read("orders")))
                            .action()
                            .orElseThrow())
                    .contains("snowflake.segment.jdbc.table-name: " + main + ".snowflake_counter\n");

            JdbcWorkerRegistry named = new JdbcWorkerRegistry(unknown, main + ".snowflake_worker", "default");
            assertThat(named.acquire(null, claim(1), TTL)).isTrue();
            assertThat(owners(admin, "snowflake_worker")).containsExactly("owner 1");
        }
    }

    /** With the default search path, the schema of the role comes first. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "SET ROLE \"tenant-a\"",
                "SET SESSION AUTHORIZATION \"tenant-a\"",
                "SET search_path TO \"tenant-a\""
            })
    void connectionOfAnotherRoleThanANewOneIsRejected(String left) {
        try (HikariDataSource admin = Databases.POSTGRESQL.open()) {
            createTables(Databases.POSTGRESQL, admin);
            JdbcTemplate sql = new JdbcTemplate(admin);
            sql.execute("DROP ROLE IF EXISTS \"tenant-a\"");
            sql.execute("CREATE ROLE \"tenant-a\" SUPERUSER");
            HikariConfig one = poolOfOne(Databases.POSTGRESQL);
            one.setConnectionInitSql("SET application_name = 'shop'");
            try (HikariDataSource pool = new HikariDataSource(one)) {
                new JdbcTemplate(pool).execute(left);
                DataSource wrapper = new DelegatingDataSource(pool) {
                    @Override
                    public Connection getConnection() throws SQLException {
                        return super.getConnection();
                    }
                };

                for (DataSource source : List.of(new OpaqueDataSource(pool), wrapper)) {
                    assertThat(detail(catchThrowable(
                                    () -> new JdbcWorkerRegistry(source, "snowflake_worker", "default").read())))
                            .hasMessageContaining("\"tenant-a\".snowflake_worker, a new connection finds public.");
                }
                assertThat(new JdbcWorkerRegistry(pool, "snowflake_worker", "default").acquire(null, claim(1), TTL))
                        .isTrue();
                assertThat(owners(admin, "public.snowflake_worker")).containsExactly("owner 1");
            }
            sql.execute("DROP ROLE \"tenant-a\"");
        }
    }

    /** The pool does not commit its initial SQL then, so the first transaction rolls it back. */
    @Test
    void initialSqlThatThePoolDoesNotCommitSelectsNoSchema() {
        try (HikariDataSource admin = Databases.POSTGRESQL.open()) {
            createTables(Databases.POSTGRESQL, admin);
            HikariConfig pool = Databases.POSTGRESQL.pool();
            pool.setAutoCommit(false);
            pool.setConnectionInitSql("SET search_path TO located");
            try (HikariDataSource source = new HikariDataSource(pool)) {
                assertThat(new JdbcWorkerRegistry(source, "snowflake_worker", "default").acquire(null, claim(1), TTL))
                        .isTrue();
            }
            assertThat(owners(admin, "public.snowflake_worker")).containsExactly("owner 1");
        }
    }

    /** A pool that a previous version uses with the unqualified name, next to this version in a rolling deployment. */
    private static void assertThatThePreviousVersionUsesTheSameTable(HikariConfig settings, String table) {
        try (HikariDataSource pool = new HikariDataSource(settings)) {
            JdbcTemplate previous = new JdbcTemplate(pool);
            previous.update("INSERT INTO snowflake_worker (namespace, datacenter_id, worker_id, owner, reserved_until,"
                    + " expires_at, layout) VALUES ('default', 0, 7, 'previous', 1, 1, 'some layout')");
            for (DataSource source : List.of(pool, new OpaqueSettings(pool))) {
                JdbcWorkerRegistry registry = new JdbcWorkerRegistry(source, "snowflake_worker", "default");
                assertThat(registry.read().entries()).extracting(Entry::owner).contains("previous");
                registry.acquire(null, claim(1), TTL);
            }
            assertThat(owners(pool, "snowflake_worker")).containsExactlyInAnyOrder("previous", "owner 1");
            assertThat(owners(pool, table)).containsExactlyInAnyOrder("previous", "owner 1");
        }
    }

    /** A pool that is no HikariCP, of which only the initial SQL is known. */
    private static final class OpaqueSettings extends DelegatingDataSource {

        private final HikariDataSource pool;

        OpaqueSettings(HikariDataSource pool) {
            super(pool);
            this.pool = pool;
        }

        @Override
        public boolean isWrapperFor(Class<?> type) {
            return false;
        }

        public @Nullable String getInitSQL() {
            String set = pool.getConnectionInitSql();
            return set == null ? pool.getSchema() : set;
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"url", "schema", "initial SQL", "role", "view"})
    void tableOfANewSessionOfPostgresqlStaysTheTable(String setting) {
        Databases database = Databases.POSTGRESQL;
        try (HikariDataSource admin = database.open()) {
            createTables(database, admin);
            JdbcTemplate sql = new JdbcTemplate(admin);
            HikariConfig pool = database.pool();
            String table = "\"Tenant_B\".snowflake_worker";
            switch (setting) {
                case "url" -> pool.setJdbcUrl(database.url() + "&currentSchema=%22Tenant_B%22");
                case "schema" -> pool.setSchema("Tenant_B");
                case "initial SQL" -> pool.setConnectionInitSql("SET search_path TO \"Tenant_B\"");
                case "role" -> {
                    sql.execute("DROP ROLE IF EXISTS located");
                    sql.execute("CREATE ROLE located");
                    sql.execute("GRANT USAGE ON SCHEMA located TO located");
                    sql.execute("GRANT SELECT, INSERT, UPDATE ON located.snowflake_worker TO located");
                    pool.setConnectionInitSql("SET ROLE located");
                    table = "located.snowflake_worker";
                }
                default -> {
                    sql.execute("DROP TABLE located.snowflake_worker");
                    sql.execute("CREATE VIEW located.snowflake_worker AS SELECT * FROM \"Tenant_B\".snowflake_worker");
                    pool.setJdbcUrl(database.url() + "&currentSchema=located");
                }
            }

            assertThatThePreviousVersionUsesTheSameTable(pool, table);

            sql.execute("DROP SCHEMA located CASCADE");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"url", "catalog", "initial SQL"})
    void databaseOfANewSessionOfMariadbStaysTheDatabase(String setting) {
        Databases database = Databases.MARIADB;
        try (HikariDataSource admin = database.open()) {
            createTables(database, admin);
            HikariConfig pool = database.pool();
            switch (setting) {
                case "url" -> pool.setJdbcUrl(database.url().replace("/leases", "/tenant-a"));
                case "catalog" -> pool.setCatalog("tenant-a");
                default -> pool.setConnectionInitSql("USE `tenant-a`");
            }

            try (HikariDataSource opened = new HikariDataSource(pool)) {
                new JdbcTemplate(opened)
                        .update(
                                "INSERT INTO snowflake_worker (namespace, datacenter_id, worker_id, owner,"
                                        + " reserved_until, expires_at, layout) VALUES ('default', 0, 7, 'previous', 1, 1, 'x')");
                JdbcWorkerRegistry registry = new JdbcWorkerRegistry(opened, "snowflake_worker", "default");
                assertThat(registry.read().entries()).extracting(Entry::owner).containsExactly("previous");
                assertThat(registry.acquire(null, claim(1), TTL)).isTrue();
            }
            assertThat(owners(admin, "`tenant-a`.snowflake_worker")).containsExactlyInAnyOrder("previous", "owner 1");
        }
    }

    /** Its connections, all that the server permits, are then asked for the table. */
    @ParameterizedTest
    @CsvSource({
        "POSTGRESQL, schema",
        "POSTGRESQL, initial SQL",
        "POSTGRESQL, initial SQL that is not committed",
        "MARIADB, catalog"
    })
    void schemaThatAPoolSelectsIsNotAmbiguousIfThePoolIsUsed(Databases database, String setting) {
        try (HikariDataSource admin = database.open()) {
            createTables(database, admin);
            AtomicInteger connections = new AtomicInteger();
            HikariConfig one = database.pool();
            one.setMaximumPoolSize(1);
            one.setDataSource(new DriverManagerDataSource(database.url()) {
                @Override
                protected Connection getConnectionFromDriver(Properties properties) throws SQLException {
                    if (connections.incrementAndGet() > 1) {
                        throw new SQLException("too many connections", "53300");
                    }
                    return super.getConnectionFromDriver(properties);
                }
            });
            String schema = database == Databases.MARIADB ? "`tenant-a`" : "\"Tenant_B\"";
            switch (setting) {
                case "schema" -> one.setSchema("Tenant_B");
                case "catalog" -> one.setCatalog("tenant-a");
                case "initial SQL" -> one.setConnectionInitSql("SET search_path TO " + schema);
                default -> {
                    one.setAutoCommit(false);
                    one.setConnectionInitSql("SET search_path TO " + schema);
                    schema = "public";
                }
            }
            try (HikariDataSource pool = new HikariDataSource(one);
                    JdbcWorkerRegistry registry = new JdbcWorkerRegistry(pool, "snowflake_worker", "default")) {
                assertThat(registry.acquire(null, claim(1), TTL)).isTrue();
                assertThat(new JdbcTemplate(pool).queryForList("SELECT owner FROM snowflake_worker", String.class))
                        .containsExactly("owner 1");
            }
            assertThat(owners(admin, schema + ".snowflake_worker")).containsExactly("owner 1");
        }
    }

    @Test
    void synonymOfH2IsFollowed() {
        try (HikariDataSource admin = Databases.H2.open()) {
            createTables(Databases.H2, admin);
            JdbcTemplate sql = new JdbcTemplate(admin);
            sql.execute("DROP TABLE snowflake_worker");
            sql.execute("CREATE SYNONYM snowflake_worker FOR \"located\".snowflake_worker");
            JdbcWorkerRegistry registry = new JdbcWorkerRegistry(admin, "snowflake_worker", "default");

            assertThat(registry.acquire(null, claim(1), TTL)).isTrue();

            assertThat(owners(admin, "\"located\".snowflake_worker")).containsExactly("owner 1");
            sql.execute("DROP SYNONYM snowflake_worker");
        }
    }

    @ParameterizedTest
    @EnumSource
    void namesMayHaveHyphensAndQuotes(Databases database) {
        try (HikariDataSource admin = database.open()) {
            createTables(database, admin);
            for (Map.Entry<String, String> written : Map.of(
                            "tenant-a.Leases-1", "Leases-1",
                            "\"Tenant_B\".Leases-2", "Leases-2",
                            "\"Tenant_B\".\"my leases\"", "my leases",
                            "Leases-3", "Leases-3")
                    .entrySet()) {
                String schema = written.getKey().startsWith("tenant")
                        ? quoted(database, "tenant-a") + "."
                        : written.getKey().contains("T") ? quoted(database, "Tenant_B") + "." : "";
                String table = schema + quoted(database, written.getValue());
                new JdbcTemplate(admin).execute("DROP TABLE IF EXISTS " + table);
                new JdbcWorkerRegistry(admin, schema + quoted(database, written.getValue()), "default")
                        .initializeSchema(InitializeSchema.ALWAYS)
                        .read();
                JdbcWorkerRegistry registry = new JdbcWorkerRegistry(admin, written.getKey(), "default")
                        .initializeSchema(InitializeSchema.ALWAYS);

                assertThat(registry.read().entries()).isEmpty();
                assertThat(registry.acquire(null, claim(1), TTL)).isTrue();

                assertThat(owners(admin, table)).containsExactly("owner 1");
                new JdbcTemplate(admin).execute("DROP TABLE " + table);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a.", ".a", "a..b", "a.b.c.d", "a b", "\"a", "a;b", "\"\"", "\"a\nb\""})
    void namesThatAreNoNamesAreRejected(String name) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new TableName(name))
                .withMessageStartingWith("table must be a name of letters, digits, _, $ and -, ")
                .withMessageContaining("but was '" + name + "'");
    }

    @Test
    void temporaryTableIsRejected() {
        try (HikariDataSource admin = Databases.POSTGRESQL.open()) {
            createTables(Databases.POSTGRESQL, admin);
            SingleConnectionDataSource one = new SingleConnectionDataSource(Databases.POSTGRESQL.url(), true);
            new JdbcTemplate(one).execute("CREATE TEMPORARY TABLE snowflake_worker (LIKE public.snowflake_worker)");

            ConfigurationException rejected = detail(catchThrowable(
                    () -> new JdbcWorkerRegistry(new OpaqueDataSource(one), "snowflake_worker", "default").read()));

            assertThat(rejected)
                    .hasMessage(
                            "Table 'snowflake_worker' of worker IDs is a temporary table, which no other process sees");
            one.destroy();
        }
    }

    /** A pool with a filter that rejects some statements, such as the wall filter of Druid. */
    public static final class FilteredPool extends AbstractDataSource {

        public String getUrl() {
            return Databases.MARIADB.url();
        }

        public String getPassword() {
            return "";
        }

        @Override
        public Connection getConnection() throws SQLException {
            return filtered(DriverManager.getConnection(getUrl()), Connection.class);
        }

        @Override
        public Connection getConnection(String username, String password) throws SQLException {
            return getConnection();
        }

        private static <T> T filtered(T target, Class<T> type) {
            return type.cast(Proxy.newProxyInstance(
                    type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                        if (arguments != null && String.valueOf(arguments[0]).startsWith("SET TRANSACTION")) {
                            throw new SQLException("sql injection violation");
                        }
                        try {
                            Object result = method.invoke(target, arguments);
                            return method.getName().equals("createStatement")
                                    ? filtered((Statement) result, Statement.class)
                                    : result;
                        } catch (InvocationTargetException e) {
                            throw e.getCause();
                        }
                    }));
        }
    }

    @Test
    void tableIsLocatedThroughAFilteredPool() {
        try (HikariDataSource admin = Databases.MARIADB.open();
                JdbcWorkerRegistry registry = new JdbcWorkerRegistry(new FilteredPool(), "filtered", "default")
                        .initializeSchema(InitializeSchema.ALWAYS)) {
            new JdbcTemplate(admin).execute("DROP TABLE IF EXISTS filtered");

            assertThat(registry.read().entries()).isEmpty();
        }
    }
}
