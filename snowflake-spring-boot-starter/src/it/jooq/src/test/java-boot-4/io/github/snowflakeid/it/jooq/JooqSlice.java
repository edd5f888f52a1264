package io.github.snowflakeid.it.jooq;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import org.springframework.boot.jooq.test.autoconfigure.JooqTest;

@JooqTest
@Retention(RetentionPolicy.RUNTIME)
@interface JooqSlice {}
