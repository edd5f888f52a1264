package io.github.snowflakeid.it.jooq;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import org.springframework.boot.test.autoconfigure.jooq.JooqTest;

@JooqTest
@Retention(RetentionPolicy.RUNTIME)
@interface JooqSlice {}
