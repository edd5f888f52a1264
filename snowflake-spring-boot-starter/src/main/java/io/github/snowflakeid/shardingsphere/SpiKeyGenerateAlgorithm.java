package io.github.snowflakeid.shardingsphere;

import java.util.Collection;
import java.util.Objects;
import java.util.Properties;
import org.apache.shardingsphere.infra.algorithm.core.context.AlgorithmSQLContext;
import org.apache.shardingsphere.infra.algorithm.keygen.spi.KeyGenerateAlgorithm;
import org.jspecify.annotations.Nullable;

/**
 * The key generator {@code SNOWFLAKEID} of ShardingSphere 5.5.3 and later. Its properties configure a
 * generator; without properties it uses the generator of the Spring application context. Safe for use by any number of threads.
 */
public final class SpiKeyGenerateAlgorithm implements KeyGenerateAlgorithm {

    private volatile @Nullable KeyGenerator keys;

    /** For ShardingSphere. */
    public SpiKeyGenerateAlgorithm() {}

    /**
     * Takes the properties of the key generator.
     *
     * @param properties as the configuration of ShardingSphere has them
     * @throws io.github.snowflakeid.internal.failure.ConfigurationException if one of them is unknown, invalid or without effect
     */
    @Override
    public void init(Properties properties) {
        keys = KeyGenerator.of(properties);
    }

    /**
     * Generates IDs.
     *
     * @param context the table and the column that get the IDs
     * @param count how many
     * @return IDs in ascending order
     * @throws io.github.snowflakeid.internal.failure.ConfigurationException if there is no generator
     * @throws io.github.snowflakeid.SnowflakeException if no IDs can be generated now
     */
    @Override
    public Collection<Long> generateKeys(AlgorithmSQLContext context, int count) {
        return Objects.requireNonNull(keys, "not initialized")
                .next(context.getTableName() + "." + context.getColumnName(), count);
    }

    @Override
    public String getType() {
        return KeyGeneratorProperties.TYPE;
    }

    /** Lets JDBC return the IDs as generated keys. */
    @Override
    public boolean isSupportAutoIncrement() {
        return true;
    }
}
