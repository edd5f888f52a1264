package io.github.snowflakeid.mybatisplus;

import com.baomidou.mybatisplus.core.metadata.TableInfo;
import io.github.snowflakeid.IdGenerator;
import io.github.snowflakeid.IdLayout;
import io.github.snowflakeid.SnowflakeIdGenerator;
import java.time.Duration;
import java.time.Instant;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.util.ClassUtils;

/**
 * Warns if the generator continues the IDs of MyBatis-Plus with smaller ones. This happens to an application that adds
 * the starter and keeps the default layout, whose epoch is later than MyBatis-Plus's.
 */
final class ExistingKeys {

    private static final Log LOG = LogFactory.getLog(SnowflakeIdGenerator.class);

    /** Later than any ID that an instance with a fast clock has generated. */
    private static final Duration AHEAD = Duration.ofDays(1);

    private static final int QUERY_TIMEOUT_SECONDS = 1;

    private boolean isDone;

    /**
     * Reads the largest key of one table. The first one with rows decides for all, so that a start takes one query as a
     * rule. A table that cannot be read is not reported: its statements may be routed or rewritten.
     */
    void check(TableInfo table, IdGenerator generator) {
        if (isDone
                || ClassUtils.resolvePrimitiveIfNecessary(table.getKeyType()) != Long.class
                || !(generator instanceof SnowflakeIdGenerator snowflake)) {
            return;
        }
        try {
            JdbcTemplate jdbc =
                    new JdbcTemplate(table.getConfiguration().getEnvironment().getDataSource());
            jdbc.setQueryTimeout(QUERY_TIMEOUT_SECONDS);
            @Nullable
            Long largest = jdbc.queryForObject(
                    "SELECT MAX(" + table.getKeyColumn() + ") FROM " + table.getTableName(), Long.class);
            isDone = largest != null;
            if (largest != null) {
                compare(table.getTableName(), largest, snowflake.layout());
            }
        } catch (DataAccessException e) {
            isDone = true;
            LOG.debug("The largest key of table '" + table.getTableName() + "' is unknown", e);
        }
    }

    private static void compare(String table, long largest, IdLayout layout) {
        Instant later = Instant.now().plus(AHEAD);
        if (largest > layout.firstId(later) && largest < IdLayout.TWITTER.firstId(later)) {
            LOG.warn("New rows will sort before existing ones: table '" + table + "' has the key " + largest
                    + ", new IDs begin with " + layout.firstId(Instant.now())
                    + ". To continue the IDs of MyBatis-Plus, set snowflake.layout=twitter, and deploy as described in"
                    + " 'Switch from ASSIGN_ID' in docs/mybatis.md.");
        }
    }
}
