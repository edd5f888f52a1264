package io.github.snowflakeid.it.publicids;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import org.springframework.boot.test.autoconfigure.web.servlet.WebMvcTest;

/** A test of a controller with Spring MVC alone. */
@Retention(RetentionPolicy.RUNTIME)
@WebMvcTest(OrderController.class)
@interface MvcSlice {}
