/**
 * Startup and runtime failures with a description and an action that users can paste.
 * {@link io.github.snowflakeid.failure.ConfigurationException} is the exception,
 * {@link io.github.snowflakeid.internal.failure.Problem} lists its kinds.
 */
@NullMarked
package io.github.snowflakeid.internal.failure;

import org.jspecify.annotations.NullMarked;
