/**
 * Health indicator of generators for Spring Boot 3.5, whose health classes have a different package in each major
 * version. The health itself is computed by {@link io.github.snowflakeid.internal.actuate.GeneratorsHealth}.
 */
@NullMarked
package io.github.snowflakeid.actuate.boot3;

import org.jspecify.annotations.NullMarked;
