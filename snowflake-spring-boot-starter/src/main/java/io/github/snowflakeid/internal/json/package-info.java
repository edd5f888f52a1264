/**
 * IDs in JSON, for both supported major versions of Jackson. Read {@link io.github.snowflakeid.internal.json.JsonIds}
 * first, which determines which attributes and types are IDs.
 */
@NullMarked
package io.github.snowflakeid.internal.json;

import org.jspecify.annotations.NullMarked;
