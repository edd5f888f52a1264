/** Spring Boot Actuator support: the info contributor, the endpoint {@code snowflake} and what it must not show. */
@NullMarked
package io.github.snowflakeid.actuate;

import org.jspecify.annotations.NullMarked;
