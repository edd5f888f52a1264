package io.github.snowflakeid.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import com.zaxxer.hikari.HikariDataSource;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.DriverPropertyInfo;
import java.sql.SQLException;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Logger;
import java.util.stream.Stream;
import javax.sql.DataSource;
import javax.sql.XAConnection;
import javax.sql.XADataSource;
import org.apache.commons.dbcp2.BasicDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

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

    /** The state of a connection that drivers, other than H2's, keep as well. */
    private static Connection withoutRollback(Connection target, AtomicInteger networkTimeout) {
        return (Connection) Proxy.newProxyInstance(
                Connection.class.getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                    switch (method.getName()) {
                        case "rollback" -> throw new SQLException("no rollback");
                        case "getNetworkTimeout" -> {
                            return networkTimeout.get();
                        }
                        case "setNetworkTimeout" -> networkTimeout.set((Integer) arguments[1]);
                        default -> {
                            try {
                                return method.invoke(target, arguments);
                            } catch (InvocationTargetException e) {
                                throw e.getCause();
                            }
                        }
                    }
                    return null;
                });
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void connectionIsResetAlsoIfItCannotBeRolledBack(boolean autoCommit) throws Exception {
        AtomicInteger networkTimeout = new AtomicInteger(123_456);
        try (Connection connection = DriverManager.getConnection(H2)) {
            connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
            connection.setAutoCommit(autoCommit);
            DataSource pool = new OpaqueDataSource(
                    new SingleConnectionDataSource(withoutRollback(connection, networkTimeout), true));
            JdbcWorkerRegistry registry =
                    new JdbcWorkerRegistry(pool, "leases", "default").initializeSchema(InitializeSchema.ALWAYS);

            Throwable created = catchThrowable(registry::read);
            Throwable checked = catchThrowable(new JdbcWorkerRegistry(pool, "leases", "default")::read);

            assertThat(created == null && checked == null).isEqualTo(autoCommit);
            assertThat(connection.getAutoCommit()).isEqualTo(autoCommit);
            assertThat(connection.getTransactionIsolation()).isEqualTo(Connection.TRANSACTION_SERIALIZABLE);
            assertThat(networkTimeout).hasValue(123_456);
        }
    }
}
