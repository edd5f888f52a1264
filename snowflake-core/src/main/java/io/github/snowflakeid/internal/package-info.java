/** What packages of this library share. Not exported. */
@NullMarked
package io.github.snowflakeid.internal;

import org.jspecify.annotations.NullMarked;
