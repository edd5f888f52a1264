package io.github.snowflakeid.it;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import org.springframework.boot.test.autoconfigure.web.reactive.WebFluxTest;

/** A test of a controller with WebFlux alone. */
@Retention(RetentionPolicy.RUNTIME)
@WebFluxTest(Orders.class)
@interface WebFluxSlice {}
