package io.github.snowflakeid.it;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import org.springframework.boot.test.autoconfigure.web.servlet.WebMvcTest;

/** A test of a controller with Spring MVC alone. */
@Retention(RetentionPolicy.RUNTIME)
@WebMvcTest(Orders.class)
@interface MvcSlice {}
