/** What the stores that worker ids are leased in have in common. Knows none of them. */
@NullMarked
package io.github.snowflakeid.internal.store;

import org.jspecify.annotations.NullMarked;
