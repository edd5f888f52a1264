package io.github.snowflakeid.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import com.zaxxer.hikari.HikariDataSource;
import io.github.snowflakeid.failure.ConfigurationException;
import io.github.snowflakeid.internal.failure.Causes;
import io.github.snowflakeid.internal.failure.Problem;
import io.github.snowflakeid.segment.SegmentIdGenerator;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.DriverPropertyInfo;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.logging.Logger;
import java.util.stream.Stream;
import javax.security.auth.callback.PasswordCallback;
import javax.sql.DataSource;
import javax.sql.XAConnection;
import javax.sql.XADataSource;
import org.apache.commons.dbcp2.BasicDataSource;
import org.h2.tools.Server;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.AbstractDataSource;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.jdbc.datasource.UserCredentialsDataSourceAdapter;
import org.springframework.test.util.ReflectionTestUtils;
import org.springframework.transaction.support.TransactionTemplate;

/** Drivers, and connections that cannot be set up or reset. */
class SharedConnectionFailureTests {

    private static final String H2 = "jdbc:h2:mem:shared_failures;DB_CLOSE_DELAY=-1";

    /** Several drivers may accept a URL, such as one that wraps another. */
    public abstract static class AnyDriver implements Driver {

        abstract AtomicInteger connections();

        @Override
        public Connection connect(String url, Properties info) throws SQLException {
            if (!acceptsURL(url)) {
                return null;
            }
            connections().incrementAndGet();
            return new org.h2.Driver().connect(H2, info);
        }

        @Override
        public boolean acceptsURL(String url) {
            return url.startsWith("jdbc:any:");
        }

        @Override
        public DriverPropertyInfo[] getPropertyInfo(String url, Properties info) {
            return new DriverPropertyInfo[0];
        }

        @Override
        public int getMajorVersion() {
            return 1;
        }

        @Override
        public int getMinorVersion() {
            return 0;
        }

        @Override
        public boolean jdbcCompliant() {
            return false;
        }

        @Override
        public Logger getParentLogger() {
            return Logger.getGlobal();
        }
    }

    public static final class FirstDriver extends AnyDriver {

        static final AtomicInteger CONNECTIONS = new AtomicInteger();

        @Override
        AtomicInteger connections() {
            return CONNECTIONS;
        }
    }

    public static final class ConfiguredDriver extends AnyDriver {

        static final AtomicInteger CONNECTIONS = new AtomicInteger();

        @Override
        AtomicInteger connections() {
            return CONNECTIONS;
        }
    }

    static Stream<DataSource> poolsWithADriver() {
        HikariDataSource hikari = new HikariDataSource();
        hikari.setJdbcUrl("jdbc:any:");
        hikari.setDriverClassName(ConfiguredDriver.class.getName());
        org.apache.tomcat.jdbc.pool.DataSource tomcat = new org.apache.tomcat.jdbc.pool.DataSource();
        tomcat.setUrl("jdbc:any:");
        tomcat.setDriverClassName(ConfiguredDriver.class.getName());
        BasicDataSource dbcp = new BasicDataSource();
        dbcp.setUrl("jdbc:any:");
        dbcp.setDriverClassName(ConfiguredDriver.class.getName());
        return Stream.of(hikari, tomcat, dbcp);
    }

    @ParameterizedTest
    @MethodSource("poolsWithADriver")
    void driverThatIsConfiguredForThePoolIsUsed(DataSource pool) throws Exception {
        FirstDriver first = new FirstDriver();
        DriverManager.registerDriver(first);
        FirstDriver.CONNECTIONS.set(0);
        ConfiguredDriver.CONNECTIONS.set(0);
        try (AutoCloseable closed =
                pool instanceof org.apache.tomcat.jdbc.pool.DataSource tomcat ? tomcat::close : (AutoCloseable) pool) {
            assertThat(closed).isNotNull();
            pool.getConnection().close();
            int pooled = ConfiguredDriver.CONNECTIONS.get();

            new JdbcWorkerRegistry(pool, "leases", "default")
                    .initializeSchema(InitializeSchema.ALWAYS)
                    .read();

            assertThat(ConfiguredDriver.CONNECTIONS).hasValueGreaterThan(pooled);
            assertThat(FirstDriver.CONNECTIONS).hasValue(0);
        } finally {
            DriverManager.deregisterDriver(first);
        }
    }

    @Test
    void connectionIsClosedIfItDoesNotTellItsUrl() throws Exception {
        Connection opened = mock();
        when(opened.getMetaData()).thenThrow(new SQLException("broken"));
        DataSource source = new DriverManagerDataSource() {
            @Override
            protected Connection getConnectionFromDriver(Properties properties) {
                return opened;
            }
        };

        Throwable failure = catchThrowable(new JdbcWorkerRegistry(source, "leases", "default")::read);

        assertThat(failure).hasMessageEndingWith("broken");
        verify(opened).close();
    }

    @Test
    void resourceIsClosedIfItGivesNoConnection() throws Exception {
        XADataSource resource = mock();
        XAConnection opened = mock();
        when(resource.getXAConnection()).thenReturn(opened);
        when(opened.getConnection()).thenThrow(new SQLException("broken"));

        Throwable failure = catchThrowable(
                new JdbcWorkerRegistry(new SharedConnectionTests.XaPool(resource), "leases", "default")::read);

        assertThat(failure).isNotNull();
        verify(opened).close();
    }

    private static Connection withoutRollback(Connection target, AtomicBoolean isAborted) {
        return (Connection) Proxy.newProxyInstance(
                Connection.class.getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("rollback")) {
                        throw new SQLException("no rollback");
                    }
                    if (method.getName().equals("abort")) {
                        isAborted.set(true);
                        return null;
                    }
                    try {
                        return method.invoke(target, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    /** Switching auto-commit on would commit the rows that check the primary key. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void connectionIsAbortedIfItCannotBeRolledBack(boolean autoCommit) throws Exception {
        JdbcTemplate jdbc = new JdbcTemplate(new DriverManagerDataSource(H2));
        JdbcWorkerRegistry working =
                new JdbcWorkerRegistry(new DriverManagerDataSource(H2), "not_rolled_back", "default");
        working.initializeSchema(InitializeSchema.ALWAYS).read();
        AtomicBoolean isAborted = new AtomicBoolean();
        try (Connection connection = DriverManager.getConnection(H2)) {
            connection.setAutoCommit(autoCommit);
            DataSource pool =
                    new OpaqueDataSource(new SingleConnectionDataSource(withoutRollback(connection, isAborted), true));

            catchThrowable(new JdbcWorkerRegistry(pool, "not_rolled_back", "default")::read);

            assertThat(isAborted).isTrue();
        }
        assertThat(jdbc.queryForObject("SELECT COUNT(*) FROM not_rolled_back", Integer.class))
                .isZero();
    }

    /** A wrapper hides that the pool gives out the connection of the application's transaction. */
    @Test
    void transactionOfTheApplicationIsNotRolledBack() {
        try (HikariDataSource pool = new HikariDataSource()) {
            pool.setJdbcUrl(H2);
            JdbcTemplate jdbc = new JdbcTemplate(pool);
            jdbc.execute("CREATE TABLE purchase (id BIGINT)");
            new JdbcWorkerRegistry(pool, "within", "default")
                    .initializeSchema(InitializeSchema.ALWAYS)
                    .read();
            DataSource wrapper = new DelegatingDataSource(new TransactionAwareDataSourceProxy(pool));

            new TransactionTemplate(new DataSourceTransactionManager(pool)).executeWithoutResult(status -> {
                jdbc.update("INSERT INTO purchase VALUES (1)");
                new JdbcWorkerRegistry(wrapper, "within", "default").read();
            });

            assertThat(jdbc.queryForObject("SELECT COUNT(*) FROM purchase", Integer.class))
                    .isOne();
        }
    }

    /** A driver with a network timeout, in front of H2, on a server that may permit no further connection. */
    public static final class LimitedDriver extends AnyDriver {

        static final AtomicInteger CONNECTIONS = new AtomicInteger();
        static final AtomicBoolean IS_FULL = new AtomicBoolean();

        @Override
        AtomicInteger connections() {
            return CONNECTIONS;
        }

        @Override
        public Connection connect(String url, Properties info) throws SQLException {
            if (IS_FULL.get()) {
                throw new SQLException("sorry, too many clients already", "53300");
            }
            Connection target = super.connect(url, new Properties());
            AtomicInteger network = new AtomicInteger(12_345);
            return (Connection) Proxy.newProxyInstance(
                    Connection.class.getClassLoader(),
                    new Class<?>[] {Connection.class},
                    (proxy, method, arguments) -> {
                        switch (method.getName()) {
                            case "getNetworkTimeout":
                                return network.get();
                            case "setNetworkTimeout":
                                network.set((Integer) arguments[1]);
                                return null;
                            default:
                                try {
                                    return method.invoke(target, arguments);
                                } catch (InvocationTargetException e) {
                                    throw e.getCause();
                                }
                        }
                    });
        }
    }

    static Stream<DataSource> limitedPools() {
        org.apache.tomcat.jdbc.pool.DataSource tomcat = new org.apache.tomcat.jdbc.pool.DataSource();
        tomcat.setUrl("jdbc:any:");
        tomcat.setDriverClassName(LimitedDriver.class.getName());
        tomcat.setMaxActive(1);
        tomcat.setInitialSize(1);
        BasicDataSource dbcp = new BasicDataSource();
        dbcp.setUrl("jdbc:any:");
        dbcp.setDriverClassName(LimitedDriver.class.getName());
        dbcp.setMaxTotal(1);
        return Stream.of(tomcat, dbcp);
    }

    /** Most pools give a connection to others as it was left. */
    @ParameterizedTest
    @MethodSource("limitedPools")
    @ExtendWith(OutputCaptureExtension.class)
    void networkTimeoutOfAPooledConnectionIsRestored(DataSource pool, CapturedOutput output) throws Exception {
        LimitedDriver.IS_FULL.set(false);
        try (JdbcWorkerRegistry registry =
                new JdbcWorkerRegistry(pool, "limited", "default").initializeSchema(InitializeSchema.ALWAYS)) {
            registry.read();
        }
        LimitedDriver.IS_FULL.set(true);
        try (AutoCloseable closed = pool instanceof org.apache.tomcat.jdbc.pool.DataSource tomcat
                        ? tomcat::close
                        : (AutoCloseable) pool;
                JdbcWorkerRegistry registry = new JdbcWorkerRegistry(pool, "limited", "default")) {
            assertThat(closed).isNotNull();

            registry.read();
            registry.read();

            assertThat(output)
                    .containsOnlyOnce(
                            "Leases and counters use connections of the application's pool (sorry, too many clients already)."
                                    + " IDs and numbers fail while transactions that wait for them hold all of its connections."
                                    + " Set snowflake.worker.jdbc.url, and for counters snowflake.segment.jdbc.urls, to give them a"
                                    + " dedicated connection");
            try (Connection applications = pool.getConnection()) {
                assertThat(applications.getNetworkTimeout()).isEqualTo(12_345);
                assertThatThrownBy(registry::read).hasMessageContainingAll("too many clients", "gave no connection");
            }
        }
    }

    /** Wrappers say in many ways that they lack an optional method. */
    @ParameterizedTest
    @ValueSource(classes = {SQLException.class, UnsupportedOperationException.class, AbstractMethodError.class})
    void methodsThatJdbcDoesNotRequireAreNotRequired(Class<? extends Throwable> lacking) throws Exception {
        Connection target = DriverManager.getConnection(H2);
        Connection without = (Connection) Proxy.newProxyInstance(
                Connection.class.getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                    if (method.getName().matches("[gs]et(NetworkTimeout|Schema)|isValid")) {
                        throw lacking.getDeclaredConstructor().newInstance();
                    }
                    if (method.getName().equals("close")) {
                        return null;
                    }
                    try {
                        return method.invoke(target, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
        try (target;
                JdbcWorkerRegistry pooled = new JdbcWorkerRegistry(
                                new OpaqueDataSource(new SingleConnectionDataSource(without, true)),
                                "optional",
                                "default")
                        .initializeSchema(InitializeSchema.ALWAYS);
                JdbcWorkerRegistry unpooled = new JdbcWorkerRegistry(
                                new DriverManagerDataSource(H2) {
                                    @Override
                                    public Connection getConnection() {
                                        return without;
                                    }
                                },
                                "optional_" + lacking.getSimpleName(),
                                "default")
                        .initializeSchema(InitializeSchema.ALWAYS)) {
            assertThat(pooled.read().entries()).isEmpty();
            assertThat(unpooled.read().entries()).isEmpty();
            // A connection that was used recently is not validated.
            LockSupport.parkNanos(Duration.ofMillis(600).toNanos());
            assertThat(unpooled.read().entries()).isEmpty();
        }
    }

    @Test
    void threadThatStillWaitsForThePoolEndsBeforeTheStore() {
        CountDownLatch isFree = new CountDownLatch(1);
        AtomicReference<Thread> waiting = new AtomicReference<>();
        AtomicBoolean isExhausted = new AtomicBoolean();
        DataSource pool = new OpaqueDataSource(new DriverManagerDataSource(H2) {
            @Override
            public Connection getConnection() throws SQLException {
                if (isExhausted.get()) {
                    waiting.set(Thread.currentThread());
                    try {
                        isFree.await();
                    } catch (InterruptedException e) {
                        throw new SQLException(e);
                    }
                }
                return super.getConnection();
            }
        });
        Database database = new Database(StoredKind.COUNTERS, pool, new Timeouts(1, 2_000));
        assertThat(database.dialect()).isEqualTo(Dialect.H2);
        isExhausted.set(true);
        assertThatThrownBy(() -> database.query((jdbc, dialect) -> 1)).hasStackTraceContaining("gave no connection");
        assertThat(waiting.get().isAlive()).isTrue();
        isFree.countDown();

        database.close();

        assertThat(waiting.get().isAlive()).isFalse();
    }

    /** A thread of a lease may return from a call that hung after the registry was closed. */
    @Test
    void callAfterTheEndKeepsNoConnection() throws Exception {
        AtomicInteger open = new AtomicInteger();
        DataSource counting = new DriverManagerDataSource(H2) {
            @Override
            public Connection getConnection() throws SQLException {
                Connection target = super.getConnection();
                open.incrementAndGet();
                return (Connection) Proxy.newProxyInstance(
                        Connection.class.getClassLoader(),
                        new Class<?>[] {Connection.class},
                        (proxy, method, arguments) -> {
                            if (method.getName().equals("close")) {
                                open.decrementAndGet();
                            }
                            return method.invoke(target, arguments);
                        });
            }
        };
        JdbcWorkerRegistry registry =
                new JdbcWorkerRegistry(counting, "after_end", "default").initializeSchema(InitializeSchema.ALWAYS);
        registry.read();
        assertThat(open).hasValue(1);
        registry.close();

        assertThat(registry.read().entries()).isEmpty();

        assertThat(open).hasValue(0);
        Map<?, ?> all = (Map<?, ?>) ReflectionTestUtils.getField(SharedConnection.class, "ALL");
        assertThat(all).isNotNull();
        assertThat(all.containsKey(counting)).isFalse();
    }

    /** Its login is not in readable properties. */
    @Test
    @Tag("servers")
    void loginThatAWrapperAddsIsUsed() {
        try (HikariDataSource admin = Databases.MARIADB.open()) {
            ConnectionSettings user = Databases.MARIADB.newUser(admin, "hidden");
            new JdbcTemplate(admin).execute("DROP TABLE IF EXISTS hidden_login");
            new JdbcTemplate(admin).execute("GRANT ALL ON leases.* TO 'hidden'@'localhost'");
            UserCredentialsDataSourceAdapter adapter = new UserCredentialsDataSourceAdapter();
            adapter.setTargetDataSource(new DriverManagerDataSource(user.url()));
            adapter.setUsername("hidden");
            adapter.setPassword("secret");
            DataSource withToken = new DelegatingDataSource(new DriverManagerDataSource(user.url())) {
                @Override
                public Connection getConnection() throws SQLException {
                    return obtainTargetDataSource().getConnection("hidden", "secret");
                }
            };
            for (DataSource source : List.of(adapter, withToken)) {
                try (JdbcWorkerRegistry registry = new JdbcWorkerRegistry(source, "hidden_login", "default")
                        .initializeSchema(InitializeSchema.ALWAYS)) {
                    assertThat(registry.read().entries()).isEmpty();
                }
            }
        }
    }

    /** Without a pool, each connection of a wrapper is a new one. */
    @Test
    void wrapperIsAskedIfThereIsNoPool() throws SQLException {
        DriverManagerDataSource target = new DriverManagerDataSource("jdbc:h2:mem:wrapped_login");
        DataSource withLogin = new DelegatingDataSource(target) {
            @Override
            public Connection getConnection() throws SQLException {
                return target.getConnection("hidden", "secret");
            }
        };
        try (Connection first = withLogin.getConnection()) {
            assertThat(first.isValid(1)).isTrue();
            Database database = new Database(StoredKind.LEASES, withLogin, Timeouts.DEFAULT);

            assertThat(database.dialect()).isEqualTo(Dialect.H2);
            assertThat(database.poolReason()).isNull();
            database.close();
        }
    }

    /** As in Druid's pool, whose callback decrypts a password in the properties of the driver. */
    public static final class CallbackPool extends AbstractDataSource {

        private final PasswordCallback callback = new DecryptingCallback();

        public String getUrl() {
            return "jdbc:h2:mem:callback;DB_CLOSE_DELAY=-1";
        }

        public String getUsername() {
            return "sa";
        }

        public String getPassword() {
            return "";
        }

        public PasswordCallback getPasswordCallback() {
            return callback;
        }

        public Properties getConnectProperties() {
            Properties properties = new Properties();
            properties.setProperty("password", "terces");
            return properties;
        }

        @Override
        public Connection getConnection() throws SQLException {
            throw new SQLException("exhausted");
        }

        @Override
        public Connection getConnection(String username, String password) throws SQLException {
            return getConnection();
        }
    }

    public static final class DecryptingCallback extends PasswordCallback {

        private static final long serialVersionUID = 1L;

        DecryptingCallback() {
            super("password", false);
        }

        public void setProperties(Properties properties) {
            String encrypted = properties.getProperty("password");
            setPassword(new StringBuilder(encrypted).reverse().toString().toCharArray());
        }
    }

    @Test
    void passwordOfACallbackIsUsed() throws SQLException {
        CallbackPool pool = new CallbackPool();
        try (Connection first = DriverManager.getConnection(pool.getUrl(), "sa", "secret")) {
            assertThat(first.isValid(1)).isTrue();

            Database database = new Database(StoredKind.LEASES, pool, Timeouts.DEFAULT);

            assertThat(database.dialect()).isEqualTo(Dialect.H2);
            database.close();
        }
    }

    /** Its settings are known, but it gives no connection. */
    public static final class SilentPool extends AbstractDataSource {

        static final String URL = "jdbc:h2:mem:silent_pool";

        private final CountDownLatch isAsked = new CountDownLatch(1);
        private final CountDownLatch isOver = new CountDownLatch(1);

        public String getUrl() {
            return URL;
        }

        public String getUsername() {
            return "sa";
        }

        public String getPassword() {
            return "";
        }

        @Override
        public Connection getConnection() throws SQLException {
            isAsked.countDown();
            try {
                isOver.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            throw new SQLException("closed");
        }

        @Override
        public Connection getConnection(String username, String password) throws SQLException {
            return getConnection();
        }
    }

    /** For example if startup fails while the table is located. H2 drops the database with its last connection. */
    @Test
    void connectionIsClosedIfItsLastUserEndsWhileThePoolIsAsked() throws Exception {
        SilentPool pool = new SilentPool();
        Database patient = new Database(StoredKind.LEASES, pool, new Timeouts(1, 60_000));
        Database last = new Database(StoredKind.COUNTERS, pool, new Timeouts(1, 100));
        assertThat(patient.dialect()).isEqualTo(Dialect.H2);
        assertThat(last.dialect()).isEqualTo(Dialect.H2);
        AtomicReference<Throwable> failure = new AtomicReference<>();
        Thread caller =
                new Thread(() -> failure.set(catchThrowable(() -> patient.ofApplication((jdbc, dialect) -> 1))));
        caller.start();
        pool.isAsked.await();

        patient.close();
        last.close();

        caller.join();
        pool.isOver.countDown();
        assertThat(failure.get()).hasStackTraceContaining("gave no connection");
        assertThatThrownBy(() -> DriverManager.getConnection(SilentPool.URL + ";IFEXISTS=TRUE", "sa", ""))
                .hasMessageContaining("not found");
    }

    @Test
    void databaseInTheMemoryOfAServerThatEndsWithTheConnectionIsRejected() throws Exception {
        Server server = Server.createTcpServer("-tcpPort", "0", "-ifNotExists").start();
        String url = "jdbc:h2:tcp://localhost:" + server.getPort() + "/mem:transient";
        try (JdbcWorkerRegistry registry = new JdbcWorkerRegistry(
                                Databases.dedicated(url, "sa", ""), "leases", "default")
                        .initializeSchema(InitializeSchema.ALWAYS);
                JdbcWorkerRegistry staying = new JdbcWorkerRegistry(
                                Databases.dedicated(url + ";DB_CLOSE_DELAY=-1", "sa", ""), "leases", "default")
                        .initializeSchema(InitializeSchema.ALWAYS)) {
            assertThatThrownBy(registry::read)
                    .hasMessage(
                            "The database at %s, in the memory of a server, ends with its last connection. Instances that start later would have another one, and they would issue the same IDs",
                            url);

            assertThat(staying.read().entries()).isEmpty();
            assertThat(registry.read().entries()).isEmpty();
        } finally {
            server.stop();
        }
    }

    /** Also if it is asked for in a transaction of the application. */
    @Test
    void slowFirstLoginIsAwaited() {
        AtomicInteger logins = new AtomicInteger();
        DataSource slow = new DriverManagerDataSource(H2) {
            @Override
            protected Connection getConnectionFromDriver(Properties properties) throws SQLException {
                if (logins.incrementAndGet() == 1) {
                    LockSupport.parkNanos(1_500_000_000);
                }
                return super.getConnectionFromDriver(properties);
            }
        };
        Database database = new Database(StoredKind.COUNTERS, slow, new Timeouts(1, 100));
        try (JdbcSegmentStore store = new JdbcSegmentStore(new StoredTable(database, "slow", InitializeSchema.ALWAYS));
                SegmentIdGenerator numbers = SegmentIdGenerator.builder()
                        .name("slow")
                        .store(store)
                        .maxWait(Duration.ofMinutes(1))
                        .build()) {
            assertThat(numbers.nextId()).isOne();
            assertThat(logins).hasValue(1);
        }
    }

    /** For example if the pool takes short-lived passwords from a service that is down. */
    @Test
    void poolIsUsedIfNoFurtherConnectionCanBeOpened() throws Exception {
        AtomicBoolean isDown = new AtomicBoolean();
        DriverManagerDataSource source = new DriverManagerDataSource(H2) {
            @Override
            protected Connection getConnectionFromDriver(Properties properties) throws SQLException {
                if (isDown.get()) {
                    throw new IllegalStateException("token service is down");
                }
                return super.getConnectionFromDriver(properties);
            }
        };
        try (HikariDataSource pool = new HikariDataSource()) {
            pool.setDataSource(source);
            new JdbcWorkerRegistry(pool, "tokens", "default")
                    .initializeSchema(InitializeSchema.ALWAYS)
                    .read();
            pool.getConnection().close();
            isDown.set(true);

            assertThat(new JdbcWorkerRegistry(pool, "tokens", "default").read().entries())
                    .isEmpty();
        }
    }

    /** An outage ends, and a wrong table is a permanent failure. */
    @Test
    void tableIsNotCalledWrongIfTheDatabaseFailsMeanwhile() {
        for (int last = 1; last < 12; last++) {
            AtomicInteger left = new AtomicInteger(last);
            DataSource failing = new OpaqueDataSource(new DriverManagerDataSource(H2) {
                @Override
                protected Connection getConnectionFromDriver(Properties properties) throws SQLException {
                    if (left.getAndDecrement() <= 0) {
                        throw new SQLException("refused", "08001");
                    }
                    return super.getConnectionFromDriver(properties);
                }
            });

            Throwable failure = catchThrowable(new JdbcWorkerRegistry(failing, "no_such_table", "default")::read);

            assertThat(Causes.of(failure))
                    .as("%s connections", last)
                    .filteredOn(ConfigurationException.class::isInstance)
                    .extracting(cause -> ((ConfigurationException) cause).anchor())
                    .isSubsetOf(Problem.STORE_UNREACHABLE.anchor(), Problem.MISSING_TABLE.anchor())
                    .isNotEmpty();
        }
    }
}
