package io.github.snowflakeid.shardingsphere;

import java.util.Collection;
import java.util.Properties;
import org.apache.shardingsphere.infra.algorithm.core.context.AlgorithmSQLContext;
import org.apache.shardingsphere.infra.algorithm.keygen.core.KeyGenerateAlgorithm;

/**
 * The key generator {@code SNOWFLAKEID} of ShardingSphere up to 5.5.2. Its properties say where ids come from; without any it is the
 * generator of the Spring application context. Safe for use by any number of threads.
 */
public final class CoreKeyGenerateAlgorithm implements KeyGenerateAlgorithm {

    private volatile Keys keys = Keys.NOT_CONFIGURED;

    /** For ShardingSphere. */
    public CoreKeyGenerateAlgorithm() {}

    /**
     * Takes the properties of the key generator.
     *
     * @param properties as the configuration of ShardingSphere has them
     * @throws io.github.snowflakeid.internal.mapping.IdMappingException if one of them is unknown, of no use, or missing
     */
    @Override
    public void init(Properties properties) {
        keys = Keys.of(properties);
    }

    /**
     * Makes ids.
     *
     * @param context the table and the column that get them
     * @param count how many
     * @return ids in ascending order
     * @throws io.github.snowflakeid.internal.mapping.IdMappingException if there is no generator
     * @throws io.github.snowflakeid.SnowflakeException if no ids can be made now
     */
    @Override
    public Collection<Long> generateKeys(AlgorithmSQLContext context, int count) {
        return keys.next(context.getTableName() + "." + context.getColumnName(), count);
    }

    @Override
    public String getType() {
        return Keys.TYPE;
    }

    /** JDBC hands these keys out as generated ones. */
    @Override
    public boolean isSupportAutoIncrement() {
        return true;
    }
}
