package io.github.snowflakeid.shardingsphere;

import org.apache.shardingsphere.infra.algorithm.keygen.core.KeyGenerateAlgorithm;

/**
 * The key generator {@code SNOWFLAKEID} for ShardingSphere up to 5.5.2. Issues IDs from a generator of the Spring
 * application context. Safe for use by any number of threads.
 *
 * @hidden
 */
public final class CoreKeyGenerateAlgorithm extends KeyGenerator implements KeyGenerateAlgorithm {

    /** Creates the key generator. Called by ShardingSphere. */
    public CoreKeyGenerateAlgorithm() {}
}
