package org.apache.shardingsphere.infra.algorithm.keygen.spi;

import java.util.Collection;
import org.apache.shardingsphere.infra.algorithm.core.ShardingSphereAlgorithm;
import org.apache.shardingsphere.infra.algorithm.core.context.AlgorithmSQLContext;

/** As ShardingSphere 5.5.3 declares it. */
public interface KeyGenerateAlgorithm extends ShardingSphereAlgorithm {

    /**
     * Generates keys.
     *
     * @param context the table and the column
     * @param count how many
     * @return the keys
     */
    Collection<? extends Comparable<?>> generateKeys(AlgorithmSQLContext context, int count);

    /**
     * Says what JDBC hands out as generated keys.
     *
     * @return whether these keys are
     */
    default boolean isSupportAutoIncrement() {
        return false;
    }
}
