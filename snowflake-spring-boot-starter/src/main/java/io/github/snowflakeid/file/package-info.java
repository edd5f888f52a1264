/**
 * Leases of worker IDs in a directory, for the processes of one machine. Start with
 * {@link io.github.snowflakeid.file.FileDocuments}, which explains why leases survive a crash.
 */
@NullMarked
package io.github.snowflakeid.file;

import org.jspecify.annotations.NullMarked;
