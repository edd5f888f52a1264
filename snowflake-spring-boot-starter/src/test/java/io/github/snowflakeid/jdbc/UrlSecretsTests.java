package io.github.snowflakeid.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.github.snowflakeid.WorkerRegistry;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Stream;
import javax.sql.DataSource;
import javax.sql.XADataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.jdbc.datasource.AbstractDataSource;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/**
 * Messages contain neither the user name nor the password of a URL, wherever the URL contains them and even if a driver
 * repeats it.
 */
@ExtendWith(OutputCaptureExtension.class)
class UrlSecretsTests {

    /**
     * URLs from the documentation of the drivers. Each contains the password {@code Tig3r}, which occurs nowhere else.
     */
    private static Stream<String> urls() {
        return Stream.of(
                "jdbc:mariadb://scott:Tig3r@db/shop",
                "jdbc:mariadb://scott:Tig3r@db:3306/shop?user=scott",
                "jdbc:mariadb://db/shop?user=scott&password=Tig3r",
                "jdbc:mariadb://db/shop&user=scott&password=Tig3r",
                "jdbc:mariadb://db/shop&password=Tig3r",
                "jdbc:mariadb:replication://scott:Tig3r@primary,standby/shop",
                "jdbc:mariadb://address=(host=db)(user=scott)(password=Tig3r)/shop",
                "jdbc:mariadb://db/shop?keyStorePassword=Tig3r",
                "jdbc:mysql://scott:Tig3r@db/shop",
                "jdbc:mysql://scott:x@Tig3r@db/shop",
                "jdbc:mysql://scott:x/Tig3r@db/shop",
                "jdbc:mysql://scott:x;Tig3r@db/shop",
                "jdbc:mysql://scott:x&Tig3r@db/shop",
                "jdbc:mysql://scott:x/y?Tig3r@db/shop",
                "jdbc:mysql://scott:Tig3r@one,scott:Tig3r@two/shop",
                "jdbc:mysql:loadbalance://scott:Tig3r@one,two/shop",
                "jdbc:mysql://(host=one,port=3306,user=scott,password=Tig3r),(host=two,password=Tig3r)/shop",
                "jdbc:mysql://scott:Tig3r@[(host=one),(host=two)]/shop",
                "jdbc:postgresql://db/shop?user=scott&password=Tig3r",
                "jdbc:postgresql://db/shop?sslpassword=Tig3r",
                "jdbc:postgresql://scott:Tig3r@db/shop",
                "jdbc:postgresql:shop?password=Tig3r",
                "jdbc:oracle:thin:scott/Tig3r@//db:1521/shop",
                "jdbc:oracle:thin:scott/Tig3r@db:1521:shop",
                "jdbc:oracle:thin:scott/Tig3r@tcps://db:2484/shop?wallet_location=/etc/wallet",
                "jdbc:oracle:thin:scott/\"x@Tig3r\"@db:1521:shop",
                "jdbc:oracle:thin:scott/\"x//Tig3r\"@db:1521:shop",
                "jdbc:oracle:thin:scott/Tig3r@(DESCRIPTION=(ADDRESS=(PROTOCOL=TCP)(HOST=db)(PORT=1521)))",
                "jdbc:oracle:oci:scott/Tig3r@shop",
                "jdbc:oracle:thin:@tcps://db/shop?javax.net.ssl.keyStorePassword=Tig3r",
                "jdbc:db2://db:50000/shop:user=scott;password=Tig3r;",
                "jdbc:db2://db:50000/shop:password=Tig3r;user=scott;",
                "jdbc:informix-sqli://db:9088/shop:INFORMIXSERVER=one;user=scott;password=Tig3r",
                "jdbc:sqlserver://db;user=scott;password=Tig3r;",
                "jdbc:sqlserver://db:1433;databaseName=shop;PWD=Tig3r",
                "jdbc:sqlserver://db;password={x;y z}}Tig3r};user=scott",
                "jdbc:sqlserver://db;accessToken=Tig3r",
                "jdbc:jtds:sqlserver://db/shop;user=scott;password=Tig3r",
                "jdbc:h2:mem:shop;USER=scott;PASSWORD=Tig3r",
                "jdbc:h2:tcp://db/~/shop;PASSWORD=Tig3r",
                "jdbc:hsqldb:hsql://db/shop;user=scott;password=Tig3r",
                "jdbc:p6spy:mysql://scott:Tig3r@db/shop",
                "JDBC:MYSQL://scott:Tig3r@db/shop?Password=Tig3r");
    }

    private static JdbcWorkerRegistry on(DataSource dataSource) {
        return new JdbcWorkerRegistry(dataSource, "ids", "default");
    }

    /** A DataSource that fails with the driver's message, like a pool. */
    private static DataSource failing(SQLException failure) {
        return new AbstractDataSource() {
            @Override
            public Connection getConnection() throws SQLException {
                throw failure;
            }

            @Override
            public Connection getConnection(String username, String password) throws SQLException {
                throw failure;
            }
        };
    }

    private static String shownOf(WorkerRegistry registry) {
        Throwable failure = catchThrowable(registry::read);
        assertThat(failure).isNotNull();
        StringWriter trace = new StringWriter();
        failure.printStackTrace(new PrintWriter(trace));
        return trace.toString();
    }

    @ParameterizedTest
    @MethodSource("urls")
    void settingsAndDescriptionsHaveNone(String url) {
        ConnectionSettings settings = new ConnectionSettings(url, null, null);

        assertThat(Secrets.address(url)).doesNotContain("Tig3r", "scott:", "scott/");
        try (JdbcSegmentStore store = new JdbcSegmentStore(new DedicatedDataSource(settings, null), "counters")) {
            assertThat(store.description()).doesNotContain("Tig3r");
        }
    }

    /** "No suitable driver found for jdbc:…", or the message of an existing driver. */
    @ParameterizedTest
    @MethodSource("urls")
    void failureToOpenAConnectionShowsNone(String url) {
        // H2 is left out: it takes long for an unknown password and does not fail, because it would create the
        // database.
        if (!url.startsWith("jdbc:h2:mem")) {
            assertThat(shownOf(on(new DriverManagerDataSource(url)))).doesNotContain("Tig3r");
            try (JdbcWorkerRegistry own =
                    new JdbcWorkerRegistry(Databases.dedicated(url, null, null), "ids", "default")) {
                assertThat(shownOf(own)).doesNotContain("Tig3r");
            }
        }
    }

    private static Stream<Arguments> messages() {
        List<String> forms = List.of(
                "No suitable driver found for %s",
                "error parsing url : '%s'",
                "The connection string \"%s\" is invalid.",
                "Cannot open (url=%s) within 5 s",
                "Driver claims to not accept jdbcUrl, %s");
        return urls().flatMap(url -> forms.stream().map(form -> Arguments.of(form, url)));
    }

    @ParameterizedTest
    @MethodSource("messages")
    void messageOfADriverThatRepeatsTheUrlShowsNone(String form, String url) {
        SQLException failure = new SQLException("refused", "08001", new IllegalArgumentException(form.formatted(url)));
        failure.addSuppressed(new IllegalStateException(form.formatted(url)));

        assertThat(shownOf(on(failing(failure)))).contains("refused").doesNotContain("Tig3r");
        assertThat(shownOf(on(failing(new SQLException(form.formatted(url), "08001")))))
                .contains(form.substring(0, 8))
                .doesNotContain("Tig3r");
    }

    /** A pool whose password the driver repeats. */
    public static final class RepeatingPool extends AbstractDataSource {

        public String getPassword() {
            return "Tig3r";
        }

        public XADataSource getXaDataSource() {
            return (XADataSource) Proxy.newProxyInstance(
                    getClass().getClassLoader(), new Class<?>[] {XADataSource.class}, (proxy, method, arguments) -> {
                        throw new SQLException("login with Tig3r rejected", "28000");
                    });
        }

        @Override
        public Connection getConnection() throws SQLException {
            return DriverManager.getConnection("jdbc:h2:mem:repeating;DB_CLOSE_DELAY=-1");
        }

        @Override
        public Connection getConnection(String username, String password) throws SQLException {
            return getConnection();
        }
    }

    @Test
    void warningAboutAPoolShowsNone(CapturedOutput output) {
        try (JdbcWorkerRegistry registry = new JdbcWorkerRegistry(new RepeatingPool(), "ids", "default")
                .initializeSchema(InitializeSchema.ALWAYS)) {
            registry.read();
        }

        assertThat(output)
                .contains("use connections of the application's pool (login with *** rejected)")
                .doesNotContain("Tig3r");
    }

    /** Returns the messages of drivers for URLs that they cannot parse. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "Incorrect port value : Tig3r@db                               | Incorrect port value : ***@db",
                "Malformed database URL near ';password=Tig3r'                 | Malformed database URL near ';password=***",
                "failed to parse the host:port pair 'scott:Tig3r@db:x'         | failed to parse the host:port pair ***@db:x'",
                "invalid authority //scott:Tig3r@db                            | invalid authority ***@db",
                "Unknown parameter &pwd=Tig3r in the connection string         | Unknown parameter &pwd=***",
                "java.net.URISyntaxException: mariadb://scott:Tig3r@db         | java.net.URISyntaxException: ***@db",
                "No suitable driver found for jdbc:mysql://scott:Tig3r@db/shop?a=1 | No suitable driver found for jdbc:mysql://db/shop",
            })
    void fragmentOfAUrlShowsNone(String message, String shown) {
        assertThat(catchThrowable(
                        () -> on(failing(new SQLException(message, "08001"))).read()))
                .hasMessage("The database cannot be reached: " + shown);
    }

    /** Text without any part of a URL is not changed. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "Access denied for user 'scott'@'localhost' (using password: YES)",
                "FATAL: password authentication failed for user \"scott\"",
                "Connection to localhost:1 refused. Check that the hostname and port are correct.",
                "Wrong user name or password [28000-232]",
                "Communications link failure: https://example.org/errors?code=17"
            })
    void otherMessagesAreShownAsTheyAre(String message) {
        assertThat(catchThrowable(
                        () -> on(failing(new SQLException(message, "08001"))).read()))
                .hasMessage("The database cannot be reached: " + message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "jdbc:mariadb://scott:Tig3r@db:3306/shop?ssl=true    | jdbc:mariadb://db:3306/shop",
                "jdbc:mariadb://db/shop&password=Tig3r               | jdbc:mariadb://db/shop",
                "jdbc:oracle:thin:scott/Tig3r@//db:1521/shop         | jdbc:oracle://db:1521/shop",
                "jdbc:db2://db:50000/shop:user=scott;password=Tig3r; | jdbc:db2://db:50000/shop",
                "jdbc:sqlserver://db:1433;databaseName=shop          | jdbc:sqlserver://db:1433",
                "jdbc:postgresql://one:5432,two:5432/shop            | jdbc:postgresql://one:5432,two:5432/shop",
                "jdbc:h2:file:~/shop                                 | jdbc:h2:file:~/shop",
            })
    void addressShowsWhereTheDatabaseIs(String url, String address) {
        assertThat(Secrets.address(url)).isEqualTo(address);
    }
}
