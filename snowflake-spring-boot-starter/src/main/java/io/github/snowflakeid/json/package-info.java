/**
 * IDs in JSON. {@link io.github.snowflakeid.json.IdAsString} writes them as strings, which JavaScript reads without
 * rounding.
 */
@NullMarked
package io.github.snowflakeid.json;

import org.jspecify.annotations.NullMarked;
