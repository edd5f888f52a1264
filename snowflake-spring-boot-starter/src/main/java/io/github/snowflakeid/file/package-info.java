/**
 * Leases of worker IDs in a file, for the processes of one machine. Start with
 * {@link io.github.snowflakeid.file.FileWorkerRegistry}; {@code LeaseFile} explains why the file survives a crash.
 */
@NullMarked
package io.github.snowflakeid.file;

import org.jspecify.annotations.NullMarked;
