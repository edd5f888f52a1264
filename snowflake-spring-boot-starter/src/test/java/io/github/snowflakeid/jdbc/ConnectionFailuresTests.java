package io.github.snowflakeid.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.ConnectException;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
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
