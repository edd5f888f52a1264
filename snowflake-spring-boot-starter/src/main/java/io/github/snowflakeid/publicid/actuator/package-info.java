/** Keeps keys of public ids out of what endpoints show. */
@NullMarked
package io.github.snowflakeid.publicid.actuator;

import org.jspecify.annotations.NullMarked;
