/** Used by all modules of this library. Not part of its API: it may change in any release. */
@NullMarked
package io.github.snowflakeid.internal;

import org.jspecify.annotations.NullMarked;
