/**
 * Micrometer meters of generators and their leases. Start with {@link
 * io.github.snowflakeid.micrometer.SnowflakeMicrometerAutoConfiguration}.
 */
@NullMarked
package io.github.snowflakeid.micrometer;

import org.jspecify.annotations.NullMarked;
