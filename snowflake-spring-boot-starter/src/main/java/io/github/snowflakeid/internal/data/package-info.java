/** The common code of the adapters for Spring Data, which knows none of its modules. */
@NullMarked
package io.github.snowflakeid.internal.data;

import org.jspecify.annotations.NullMarked;
