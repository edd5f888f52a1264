/** A small shop whose orders and order lines have Snowflake ids. */
@NullMarked
package io.github.snowflakeid.sample;

import org.jspecify.annotations.NullMarked;
