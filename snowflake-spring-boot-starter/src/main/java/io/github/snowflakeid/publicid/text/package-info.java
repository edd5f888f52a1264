/**
 * Public IDs as text: {@link io.github.snowflakeid.publicid.text.PublicIdText} for {@code toString}, and the
 * configuration of their keys and their conversion.
 */
@NullMarked
package io.github.snowflakeid.publicid.text;

import org.jspecify.annotations.NullMarked;
