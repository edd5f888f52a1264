/**
 * Document numbers such as {@code INV-2026-00042}, which people read. Start with
 * {@link io.github.snowflakeid.numbers.DocumentNumbers}.
 */
@NullMarked
package io.github.snowflakeid.numbers;

import org.jspecify.annotations.NullMarked;
