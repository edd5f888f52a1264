/**
 * Text forms of IDs in request parameters, for Spring MVC and WebFlux. Start with {@code RequestIds}, which configures
 * parameter binding, and {@code BodyMappers}, which configures Jackson for bodies.
 */
@NullMarked
package io.github.snowflakeid.publicid.web;

import org.jspecify.annotations.NullMarked;
