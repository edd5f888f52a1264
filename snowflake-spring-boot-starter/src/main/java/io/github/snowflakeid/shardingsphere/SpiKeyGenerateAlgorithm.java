package io.github.snowflakeid.shardingsphere;

import org.apache.shardingsphere.infra.algorithm.keygen.spi.KeyGenerateAlgorithm;

/**
 * The key generator {@code SNOWFLAKEID} of ShardingSphere 5.5.3 and later. It uses a generator of the Spring application context. Safe for use by
 * any number of threads.
 *
 * @hidden
 */
public final class SpiKeyGenerateAlgorithm extends KeyGenerator implements KeyGenerateAlgorithm {

    /** For ShardingSphere. */
    public SpiKeyGenerateAlgorithm() {}
}
