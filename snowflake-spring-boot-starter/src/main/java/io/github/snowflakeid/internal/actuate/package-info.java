/**
 * What Actuator shows of generators, independently of the version of Spring Boot. Start with
 * {@link io.github.snowflakeid.internal.actuate.GeneratorReport}, which describes the state of one generator.
 */
@NullMarked
package io.github.snowflakeid.internal.actuate;

import org.jspecify.annotations.NullMarked;
