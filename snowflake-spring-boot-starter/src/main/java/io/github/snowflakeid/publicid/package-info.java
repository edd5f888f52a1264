/** Ids as text where they leave and enter an application: in parameters of requests, and in JSON. */
@NullMarked
package io.github.snowflakeid.publicid;

import org.jspecify.annotations.NullMarked;
