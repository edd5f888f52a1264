package io.github.snowflakeid.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import javax.sql.DataSource;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.springframework.jdbc.datasource.AbstractDriverBasedDataSource;
import org.springframework.test.util.ReflectionTestUtils;

/** Closes the connections of stores that a test left open when it closed their pool: servers permit few connections. */
public final class ConnectionsOfClosedPools implements AfterEachCallback {

    @Override
    @SuppressWarnings("unchecked")
    public void afterEach(ExtensionContext context) {
        Map<DataSource, SharedConnection> all = Objects.requireNonNull(
                (Map<DataSource, SharedConnection>) ReflectionTestUtils.getField(SharedConnection.class, "ALL"));
        synchronized (all) {
            for (DataSource application : List.copyOf(all.keySet())) {
                SharedConnection shared = Objects.requireNonNull(all.get(application));
                boolean isOver = application instanceof HikariDataSource pool
                        ? pool.isClosed()
                        : application instanceof AbstractDriverBasedDataSource && !shared.isKept();
                if (isOver) {
                    Set<Object> users =
                            Objects.requireNonNull((Set<Object>) ReflectionTestUtils.getField(shared, "users"));
                    for (Object user : Set.copyOf(users)) {
                        SharedConnection.leave(application, user, Timeouts.DEFAULT);
                    }
                }
            }
        }
    }
}
