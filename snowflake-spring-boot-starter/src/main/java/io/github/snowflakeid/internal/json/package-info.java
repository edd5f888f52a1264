/**
 * IDs in JSON, for both versions of Jackson. Start with {@link io.github.snowflakeid.internal.json.JsonIds}, which knows which attributes are
 * IDs.
 */
@NullMarked
package io.github.snowflakeid.internal.json;

import org.jspecify.annotations.NullMarked;
