/** What happens to leases of worker ids, as events of the application context. */
@NullMarked
package io.github.snowflakeid.event;

import org.jspecify.annotations.NullMarked;
