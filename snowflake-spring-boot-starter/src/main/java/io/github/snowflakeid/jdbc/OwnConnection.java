package io.github.snowflakeid.jdbc;

import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Properties;
import java.util.ServiceLoader;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** One connection outside of any pool, opened when it is first needed and kept while it is sound. */
final class OwnConnection implements Connections {

    /** A connection that was not used for so long is tried before it is used. */
    private static final long TRUSTED_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** How a driver whose class is missing, or no driver at all, is told. */
    static final String NO_DRIVER = "08-NO-DRIVER";

    private final ConnectionSettings settings;
    private final Limits limits;
    private final ReentrantLock lock = new ReentrantLock();
    private @Nullable Connection kept;
    private long usedNanos;
    private volatile boolean closed;

    /** @param limits those of a statement hold for logging in as well, and for the look whether the connection still lives */
    OwnConnection(ConnectionSettings settings, Limits limits) {
        this.settings = settings;
        this.limits = limits;
    }

    ConnectionSettings settings() {
        return settings;
    }

    @Override
    public Connection take() throws SQLException {
        lock.lock();
        boolean taken = false;
        try {
            Connection connection = kept;
            if (connection != null && !isSound(connection)) {
                end();
                connection = null;
            }
            if (connection == null) {
                connection = open();
                kept = connection;
            }
            taken = true;
            return connection;
        } finally {
            if (!taken) {
                lock.unlock();
            }
        }
    }

    private boolean isSound(Connection connection) {
        try {
            return System.nanoTime() - usedNanos < TRUSTED_NANOS || connection.isValid(limits.statementSeconds());
        } catch (SQLException | RuntimeException broken) {
            return false;
        }
    }

    @Override
    public void giveBack(Connection connection, boolean sound) {
        usedNanos = System.nanoTime();
        if (!sound || closed) {
            end();
        }
        lock.unlock();
        if (closed) {
            // Perhaps after the look above, by somebody who left it to whoever had the connection.
            close();
        }
    }

    @Override
    public void rest() {
        lock.lock();
        try {
            end();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        closed = true;
        // Whoever has it ends it when it gives it back.
        if (lock.tryLock()) {
            try {
                end();
            } finally {
                lock.unlock();
            }
        }
    }

    @SuppressWarnings("EmptyCatch")
    private void end() {
        Connection ended = kept;
        kept = null;
        if (ended != null) {
            try {
                ended.close();
            } catch (SQLException | RuntimeException broken) {
                // It has ended all the same.
            }
        }
    }

    private Connection open() throws SQLException {
        if (closed) {
            throw new SQLException("the connection was closed for good");
        }
        Connection connection = driver().connect(settings.url(), properties());
        if (connection == null) {
            throw noDriver("it takes no such url", null);
        }
        return connection;
    }

    private Driver driver() throws SQLException {
        String name = settings.driverClassName();
        ClassLoader loader = OwnConnection.class.getClassLoader();
        if (name != null) {
            try {
                return Class.forName(name, true, loader)
                        .asSubclass(Driver.class)
                        .getDeclaredConstructor()
                        .newInstance();
            } catch (ReflectiveOperationException | ClassCastException | LinkageError missing) {
                throw noDriver("there is no such driver", missing);
            }
        }
        try {
            return DriverManager.getDriver(settings.url());
        } catch (SQLException unknown) {
            // The manager knows no drivers that a web server loads for one application only.
            for (Driver driver : ServiceLoader.load(Driver.class, loader)) {
                if (driver.acceptsURL(settings.url())) {
                    return driver;
                }
            }
            throw noDriver("no driver takes such a url", null);
        }
    }

    private static SQLException noDriver(String why, @Nullable Throwable cause) {
        return new SQLException(why, NO_DRIVER, cause);
    }

    /** With limits for what precedes the first statement, where the driver has such, unless the url sets them. */
    private Properties properties() {
        Properties properties = new Properties();
        if (settings.username() != null) {
            properties.setProperty("user", settings.username());
        }
        if (settings.password() != null) {
            properties.setProperty("password", settings.password());
        }
        String url = settings.url();
        int secondsToConnect = limits.statementSeconds();
        int millisToConnect = secondsToConnect * 1000;
        int millisToAnswer = limits.answerMillis();
        if (url.startsWith("jdbc:postgresql:")) {
            limit(properties, "connectTimeout", secondsToConnect);
            limit(properties, "socketTimeout", Math.max(1, millisToAnswer / 1000));
        } else if (url.startsWith("jdbc:mysql:") || url.startsWith("jdbc:mariadb:")) {
            limit(properties, "connectTimeout", millisToConnect);
            limit(properties, "socketTimeout", millisToAnswer);
        } else if (url.startsWith("jdbc:sqlserver:")) {
            limit(properties, "loginTimeout", secondsToConnect);
            limit(properties, "socketTimeout", millisToAnswer);
        } else if (url.startsWith("jdbc:oracle:")) {
            limit(properties, "oracle.net.CONNECT_TIMEOUT", millisToConnect);
            limit(properties, "oracle.jdbc.ReadTimeout", millisToAnswer);
        }
        return properties;
    }

    private void limit(Properties properties, String name, int value) {
        if (!settings.url().contains(name)) {
            properties.setProperty(name, Integer.toString(value));
        }
    }
}
