/** Changes to beans that other libraries define. */
@NullMarked
package io.github.snowflakeid.internal.beans;

import org.jspecify.annotations.NullMarked;
