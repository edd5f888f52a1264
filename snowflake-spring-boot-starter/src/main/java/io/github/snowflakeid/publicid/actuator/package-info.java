/** Keeps the keys of public IDs out of actuator endpoints. */
@NullMarked
package io.github.snowflakeid.publicid.actuator;

import org.jspecify.annotations.NullMarked;
