/**
 * Text forms of IDs that annotations choose: public IDs, formatted IDs and decimal digits. The JSON and web adapters
 * share them. Read {@link io.github.snowflakeid.internal.text.IdTextCodecs} first.
 */
@NullMarked
package io.github.snowflakeid.internal.text;

import org.jspecify.annotations.NullMarked;
