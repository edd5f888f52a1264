/** Leases of worker ids in a file, for the processes of one machine. */
@NullMarked
package io.github.snowflakeid.file;

import org.jspecify.annotations.NullMarked;
