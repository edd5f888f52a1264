package io.github.snowflakeid.it.stores;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.test.autoconfigure.data.redis.DataRedisTest;

/** The slice, by its name on Spring Boot 3. */
@DataRedisTest
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@interface RedisSlice {}
