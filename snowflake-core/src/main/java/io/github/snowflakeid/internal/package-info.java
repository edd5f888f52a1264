/**
 * Helpers that the packages and modules of this library share, for threads, listeners, calls with a time limit and log
 * messages. They are not part of the API and may change in any release. Each class stands on its own;
 * {@link io.github.snowflakeid.internal.BoundedCalls} is the one with logic to read.
 */
@NullMarked
package io.github.snowflakeid.internal;

import org.jspecify.annotations.NullMarked;
