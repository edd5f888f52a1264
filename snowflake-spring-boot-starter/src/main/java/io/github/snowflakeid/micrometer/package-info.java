/** Meters of generators. */
@NullMarked
package io.github.snowflakeid.micrometer;

import org.jspecify.annotations.NullMarked;
