/** Adapter of {@link io.github.snowflakeid.internal.json.JsonIds} to Jackson 3. Read {@code IdModule} first. */
@NullMarked
package io.github.snowflakeid.json.jackson3;

import org.jspecify.annotations.NullMarked;
