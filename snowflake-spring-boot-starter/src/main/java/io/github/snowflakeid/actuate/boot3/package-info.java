/** Health of generators on Spring Boot 3.5. */
@NullMarked
package io.github.snowflakeid.actuate.boot3;

import org.jspecify.annotations.NullMarked;
