package io.github.snowflakeid.shardingsphere;

import org.apache.shardingsphere.infra.algorithm.keygen.spi.KeyGenerateAlgorithm;

/**
 * The key generator {@code SNOWFLAKEID} for ShardingSphere 5.5.3 and later. Issues IDs from a generator of the Spring
 * application context. Safe for use by any number of threads.
 *
 * @hidden
 */
public final class SpiKeyGenerateAlgorithm extends KeyGenerator implements KeyGenerateAlgorithm {

    /** Creates the key generator. Called by ShardingSphere. */
    public SpiKeyGenerateAlgorithm() {}
}
