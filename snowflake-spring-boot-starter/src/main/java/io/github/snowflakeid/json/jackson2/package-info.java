/** Ids in JSON, for Jackson 2. */
@NullMarked
package io.github.snowflakeid.json.jackson2;

import org.jspecify.annotations.NullMarked;
