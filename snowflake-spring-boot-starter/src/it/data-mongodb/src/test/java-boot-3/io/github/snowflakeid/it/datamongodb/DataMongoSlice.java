package io.github.snowflakeid.it.datamongodb;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.test.autoconfigure.data.mongo.DataMongoTest;

/** The slice, by its name on Spring Boot 3. */
@DataMongoTest
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@interface DataMongoSlice {}
