/**
 * Text forms of IDs. {@link io.github.snowflakeid.text.IdFormat} writes an ID in decimal, hexadecimal, Crockford base
 * 32 or base 62. {@link io.github.snowflakeid.text.PublicIds} encrypts IDs for clients that must not learn when an ID
 * was generated.
 */
@NullMarked
package io.github.snowflakeid.text;

import org.jspecify.annotations.NullMarked;
