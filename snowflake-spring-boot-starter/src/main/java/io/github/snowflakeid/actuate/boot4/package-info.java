/** Health of generators on Spring Boot 4. */
@NullMarked
package io.github.snowflakeid.actuate.boot4;

import org.jspecify.annotations.NullMarked;
