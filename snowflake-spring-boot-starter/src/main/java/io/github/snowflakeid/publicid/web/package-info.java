/** Ids as text in parameters of requests, for Spring MVC and for WebFlux. */
@NullMarked
package io.github.snowflakeid.publicid.web;

import org.jspecify.annotations.NullMarked;
