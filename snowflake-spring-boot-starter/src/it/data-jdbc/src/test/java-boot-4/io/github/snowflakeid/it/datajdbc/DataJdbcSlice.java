package io.github.snowflakeid.it.datajdbc;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.data.jdbc.test.autoconfigure.DataJdbcTest;

/** The slice, by its name on Spring Boot 4. */
@DataJdbcTest
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@interface DataJdbcSlice {}
