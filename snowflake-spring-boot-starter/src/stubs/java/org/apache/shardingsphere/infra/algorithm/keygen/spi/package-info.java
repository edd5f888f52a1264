/**
 * What is compiled against, but neither packaged nor published: ShardingSphere 5.5.3 has moved this interface, and only
 * one of its versions can be a dependency.
 */
@NullMarked
package org.apache.shardingsphere.infra.algorithm.keygen.spi;

import org.jspecify.annotations.NullMarked;
