/** Auto-configuration for Spring Boot: properties, beans, start-up failure analyses. */
@NullMarked
package io.github.snowflakeid.autoconfigure;

import org.jspecify.annotations.NullMarked;
