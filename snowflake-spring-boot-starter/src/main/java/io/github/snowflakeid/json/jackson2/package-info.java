/** Adapter of {@link io.github.snowflakeid.internal.json.JsonIds} to Jackson 2. Read {@code IdModule} first. */
@NullMarked
package io.github.snowflakeid.json.jackson2;

import org.jspecify.annotations.NullMarked;
