/** A small shop whose orders and order lines have Snowflake IDs. Start with {@code Order} and {@code application.yml}. */
@NullMarked
package io.github.snowflakeid.sample;

import org.jspecify.annotations.NullMarked;
