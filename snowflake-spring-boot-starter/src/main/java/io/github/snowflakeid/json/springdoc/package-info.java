/** Ids in JSON, as springdoc describes them. */
@NullMarked
package io.github.snowflakeid.json.springdoc;

import org.jspecify.annotations.NullMarked;
