package io.github.snowflakeid.it.datajdbc;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.test.autoconfigure.jdbc.JdbcTest;

/** The slice without Spring Data, by its name on Spring Boot 3. */
@JdbcTest
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@interface PlainJdbcSlice {}
