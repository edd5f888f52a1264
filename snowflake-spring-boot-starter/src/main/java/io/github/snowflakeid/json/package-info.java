/** Ids in JSON. */
@NullMarked
package io.github.snowflakeid.json;

import org.jspecify.annotations.NullMarked;
