/**
 * Requests to stores that are used by HTTP. {@link io.github.snowflakeid.internal.http.HttpServers} tries one server
 * after the other. No client library is needed.
 */
@NullMarked
package io.github.snowflakeid.internal.http;

import org.jspecify.annotations.NullMarked;
