/** Text forms of IDs in parameters that are entities of Spring Data. */
@NullMarked
package io.github.snowflakeid.publicid.data;

import org.jspecify.annotations.NullMarked;
