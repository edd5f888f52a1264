/** The exception for problems that people solve: in the configuration, in the application or in a store. */
@NullMarked
package io.github.snowflakeid.failure;

import org.jspecify.annotations.NullMarked;
