package io.github.snowflakeid.it.datar2dbc;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.test.autoconfigure.data.r2dbc.DataR2dbcTest;

/** The slice, by its name on Spring Boot 3. */
@DataR2dbcTest
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@interface DataR2dbcSlice {}
