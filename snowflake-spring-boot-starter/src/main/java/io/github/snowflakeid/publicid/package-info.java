/**
 * Text forms of IDs in request parameters and in JSON. {@link io.github.snowflakeid.publicid.PublicId} encrypts IDs,
 * {@link io.github.snowflakeid.publicid.IdText} formats them.
 */
@NullMarked
package io.github.snowflakeid.publicid;

import org.jspecify.annotations.NullMarked;
