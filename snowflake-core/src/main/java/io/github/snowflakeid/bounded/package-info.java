/** Calls that may take long. Not exported. */
@NullMarked
package io.github.snowflakeid.bounded;

import org.jspecify.annotations.NullMarked;
