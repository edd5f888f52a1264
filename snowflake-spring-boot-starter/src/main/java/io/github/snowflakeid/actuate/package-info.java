/**
 * Spring Boot Actuator support: the details of health, the info contributor and the endpoint {@code snowflake}. Start
 * with {@link io.github.snowflakeid.actuate.GeneratorReport}, which describes the state of one generator.
 */
@NullMarked
package io.github.snowflakeid.actuate;

import org.jspecify.annotations.NullMarked;
