/** Worker ids: who makes an id, and how a process comes by the number that says so. */
@NullMarked
package io.github.snowflakeid.worker;

import org.jspecify.annotations.NullMarked;
