/** Failures with a description and an action. */
@NullMarked
package io.github.snowflakeid.internal.failure;

import org.jspecify.annotations.NullMarked;
