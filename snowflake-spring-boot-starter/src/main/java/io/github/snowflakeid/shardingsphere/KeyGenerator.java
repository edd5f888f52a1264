package io.github.snowflakeid.shardingsphere;

import io.github.snowflakeid.IdGenerator;
import io.github.snowflakeid.internal.failure.Problem;
import java.util.Collection;
import java.util.Objects;
import java.util.Properties;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.LongStream;
import org.apache.shardingsphere.infra.algorithm.core.context.AlgorithmSQLContext;
import org.jspecify.annotations.Nullable;

/** Implements the interface of key generators, which has a different package in different versions of ShardingSphere. */
abstract class KeyGenerator {

    /** The name of the key generator. ShardingSphere has a key generator SNOWFLAKE itself. */
    static final String TYPE = "SNOWFLAKEID";

    private volatile @Nullable Function<String, IdGenerator> source;

    /**
     * Takes the properties of the key generator. It looks up its generator of IDs for each call: ShardingSphere is configured while the
     * {@code DataSource} is created, which the lease may need.
     *
     * @param properties as the configuration of ShardingSphere has them
     * @throws io.github.snowflakeid.internal.failure.ConfigurationException if one of them is unknown
     */
    public void init(Properties properties) {
        for (String name : new TreeSet<>(properties.stringPropertyNames())) {
            if (!name.equals("generator")) {
                throw Problem.KEY_GENERATOR_PROPERTIES.exception(
                        "Key generator '%s' of ShardingSphere: Property '%s' is unknown".formatted(TYPE, name),
                        "Remove it. The only property is 'generator', the name of a generator of the application.");
            }
        }
        source = GeneratorBridge.source(properties.getProperty("generator", ""));
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
        return TYPE;
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
