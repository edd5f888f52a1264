/** Ids as text: {@link io.github.snowflakeid.text.IdFormat} for people who read and sort them. */
@NullMarked
package io.github.snowflakeid.text;

import org.jspecify.annotations.NullMarked;
