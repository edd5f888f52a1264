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

/**
 * Implements ShardingSphere's interface of key generators, whose package differs between versions of ShardingSphere.
 */
abstract class KeyGenerator {

    private volatile @Nullable Function<String, IdGenerator> source;

    /**
     * Initializes the key generator. The ID generator is looked up for each call, not here: ShardingSphere is
     * configured while the {@code DataSource} is created, and the generator may need the {@code DataSource} to lease a
     * worker ID.
     *
     * @param properties the properties from the configuration of ShardingSphere
     * @throws io.github.snowflakeid.SnowflakeException if a property is unknown
     */
    public void init(Properties properties) {
        for (String name : new TreeSet<>(properties.stringPropertyNames())) {
            if (!name.equals("generator")) {
                throw Problem.KEY_GENERATOR_PROPERTIES.exception(
                        "Property '%2$s' of ShardingSphere's key generator '%1$s' is unknown"
                                .formatted(GeneratorBridge.TYPE, name),
                        "Remove the property. The only supported property is 'generator', the name of a generator of the application.");
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
     * @throws io.github.snowflakeid.SnowflakeException if no generator exists or no IDs can be generated now
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
        return GeneratorBridge.TYPE;
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
