/** Logs the changes of leases and counters after startup, and publishes those of leases as events. */
@NullMarked
package io.github.snowflakeid.internal.log;

import org.jspecify.annotations.NullMarked;
