/** Describes IDs in OpenAPI documents that springdoc generates. */
@NullMarked
package io.github.snowflakeid.json.springdoc;

import org.jspecify.annotations.NullMarked;
