package io.github.snowflakeid.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.ConnectException;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.datasource.DelegatingDataSource;

class ConnectionFailuresTests {

    @Test
    void serverThatPermitsNoFurtherConnectionAnswers() {
        assertThat(ConnectionFailures.isUnreachable(new SQLException("Too many connections", "08004", 1040)))
                .isFalse();
        assertThat(ConnectionFailures.isUnreachable(new SQLException("no more connections allowed", "08P01")))
                .isFalse();
        assertThat(ConnectionFailures.isUnreachable(new SQLException("too many connections", "53300")))
                .isFalse();
    }

    /** The pooler uses the same SQL state if it has too many connections. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "FATAL: query_wait_timeout",
                "FATAL: server login has been failing, try again later (server_login_retry)",
                "FATAL: server login has been failing, cached error: connect failed (server_login_retry)",
                "FATAL: pgbouncer cannot connect to server",
                "ERROR: server conn crashed?"
            })
    void serverBehindAPoolerIsUnreachable(String message) {
        assertThat(ConnectionFailures.isUnreachable(new SQLException(message, "08P01")))
                .isTrue();
    }

    @Test
    void serverBehindAPoolerThatPermitsNoFurtherConnectionAnswers() {
        String message =
                "FATAL: server login has been failing, cached error: sorry, too many clients already (server_login_retry)";

        assertThat(ConnectionFailures.isUnreachable(new SQLException(message, "08P01")))
                .isFalse();
    }

    @Test
    void lostConnectionIsUnreachable() {
        assertThat(ConnectionFailures.isUnreachable(new SQLException("broken", "08006")))
                .isTrue();
        assertThat(ConnectionFailures.isUnreachable(new SQLException("shutting down", "57P01")))
                .isTrue();
        assertThat(ConnectionFailures.isUnreachable(new SQLException("refused", new ConnectException("refused"))))
                .isTrue();
    }

    /** The driver of MySQL ends its message with a period if it reconnects. */
    @Test
    void rootCauseContinuesAMessageThatIsASentence() {
        SQLException failure = new SQLException("Giving up.", new SQLException("Communications link failure"));

        assertThat(Secrets.text(failure, null)).isEqualTo("Giving up: Communications link failure");
    }

    /** A DataSource whose settings depend on a request. */
    public static final class WithoutSettings extends DelegatingDataSource {

        public String getUrl() {
            throw new UnsupportedOperationException("no request");
        }
    }

    @Test
    void settingThatCannotBeReadIsUnknown() {
        WithoutSettings dataSource = new WithoutSettings();

        assertThat(new PoolSettings(dataSource).url()).isNull();
        assertThat(UnpooledSource.of(dataSource, 8_000)).isNull();
    }
}
