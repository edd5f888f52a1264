/**
 * Auto-configuration of {@link io.github.snowflakeid.IdGenerator} beans: properties, generator factories, lifecycle and
 * startup failure analysis. Applications use {@link io.github.snowflakeid.autoconfigure.SnowflakeGenerators} and
 * {@link io.github.snowflakeid.autoconfigure.SnowflakeDataSource}. To read the code, start with {@link
 * io.github.snowflakeid.autoconfigure.SnowflakeAutoConfiguration}.
 */
@NullMarked
package io.github.snowflakeid.autoconfigure;

import org.jspecify.annotations.NullMarked;
