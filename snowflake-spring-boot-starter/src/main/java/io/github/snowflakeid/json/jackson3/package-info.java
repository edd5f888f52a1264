/** Ids in JSON, for Jackson 3. */
@NullMarked
package io.github.snowflakeid.json.jackson3;

import org.jspecify.annotations.NullMarked;
