/** How fast ids are made, here and by others. Not part of the ordinary build; see {@code docs/benchmarks/README.md}. */
@NullMarked
package io.github.snowflakeid.benchmark;

import org.jspecify.annotations.NullMarked;
