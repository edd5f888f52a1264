/** Text forms of IDs in requests of Spring Cloud OpenFeign. */
@NullMarked
package io.github.snowflakeid.publicid.feign;

import org.jspecify.annotations.NullMarked;
