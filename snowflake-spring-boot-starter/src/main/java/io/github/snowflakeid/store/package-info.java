/** What the stores that worker ids are leased in have in common. Knows none of them. */
@NullMarked
package io.github.snowflakeid.store;

import org.jspecify.annotations.NullMarked;
