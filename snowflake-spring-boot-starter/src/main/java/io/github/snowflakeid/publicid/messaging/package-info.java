/** Text forms of IDs in destinations and headers of messages. */
@NullMarked
package io.github.snowflakeid.publicid.messaging;

import org.jspecify.annotations.NullMarked;
