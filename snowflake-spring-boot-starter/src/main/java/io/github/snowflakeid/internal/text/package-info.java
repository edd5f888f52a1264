/**
 * Text forms of IDs, chosen by annotations: public IDs, formatted IDs and digits. JSON and the web adapters share them. Start with {@link
 * io.github.snowflakeid.internal.text.IdTextCodecs}.
 */
@NullMarked
package io.github.snowflakeid.internal.text;

import org.jspecify.annotations.NullMarked;
