package io.github.snowflakeid.shardingsphere;

import io.github.snowflakeid.IdGenerator;
import java.util.Collection;
import java.util.Objects;
import java.util.Properties;
import java.util.function.Function;
import java.util.stream.LongStream;
import org.apache.shardingsphere.infra.algorithm.core.context.AlgorithmSQLContext;
import org.jspecify.annotations.Nullable;

/** Implements the interface of key generators, which has a different package in different versions of ShardingSphere. */
abstract class KeyGenerator {

    private volatile @Nullable Function<String, IdGenerator> source;

    /**
     * Takes the properties of the key generator. Its generator of IDs is created by the first call: ShardingSphere is configured while the
     * {@code DataSource} is created.
     *
     * @param properties as the configuration of ShardingSphere has them
     * @throws io.github.snowflakeid.internal.failure.ConfigurationException if one of them is unknown, invalid or without effect
     */
    public void init(Properties properties) {
        KeyGeneratorProperties bound = KeyGeneratorProperties.of(properties);
        source = bound.isStandalone() ? new StandaloneKeySource(bound) : GeneratorBridge.source(bound.generator());
    }

    /**
     * Generates the IDs of all rows of a statement at once.
     *
     * @param context the table and the column that get the IDs
     * @param count the number of IDs
     * @return IDs in ascending order
     * @throws io.github.snowflakeid.internal.failure.ConfigurationException if there is no generator
     * @throws io.github.snowflakeid.SnowflakeException if no IDs can be generated now
     */
    public Collection<Long> generateKeys(AlgorithmSQLContext context, int count) {
        IdGenerator ids = ids(context.getTableName() + "." + context.getColumnName());
        return LongStream.of(ids.nextIds(count)).boxed().toList();
    }

    IdGenerator ids(String attribute) {
        return Objects.requireNonNull(source, "not initialized").apply(attribute);
    }

    /**
     * Returns the name of the key generator.
     *
     * @return {@code SNOWFLAKEID}
     */
    public String getType() {
        return KeyGeneratorProperties.TYPE;
    }

    /**
     * Lets JDBC return the IDs as generated keys.
     *
     * @return true
     */
    public boolean isSupportAutoIncrement() {
        return true;
    }
}
