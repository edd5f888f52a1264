package io.github.snowflakeid.it.datamongodb;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.data.mongodb.test.autoconfigure.DataMongoTest;

/** The slice, by its name on Spring Boot 4. */
@DataMongoTest
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@interface DataMongoSlice {}
