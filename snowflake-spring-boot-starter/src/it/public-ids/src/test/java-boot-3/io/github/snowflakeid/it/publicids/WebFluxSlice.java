package io.github.snowflakeid.it.publicids;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import org.springframework.boot.test.autoconfigure.web.reactive.WebFluxTest;

/** A test of a controller with WebFlux alone. */
@Retention(RetentionPolicy.RUNTIME)
@WebFluxTest(OrderController.class)
@interface WebFluxSlice {}
