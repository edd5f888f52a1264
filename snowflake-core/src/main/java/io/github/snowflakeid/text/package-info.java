/**
 * Ids as text: {@link io.github.snowflakeid.text.IdFormat} for people who read and sort them,
 * {@link io.github.snowflakeid.text.PublicIds} for those who must not learn anything from them.
 */
@NullMarked
package io.github.snowflakeid.text;

import org.jspecify.annotations.NullMarked;
