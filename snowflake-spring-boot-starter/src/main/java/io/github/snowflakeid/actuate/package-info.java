/** What an application with Spring Boot's Actuator shows of its generators: details, info and an endpoint. */
@NullMarked
package io.github.snowflakeid.actuate;

import org.jspecify.annotations.NullMarked;
