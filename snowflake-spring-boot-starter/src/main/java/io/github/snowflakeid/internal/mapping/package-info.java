/**
 * What the adapters for mappers have in common: which attributes of a class are annotated, what they can hold, and which
 * generator makes their ids. Knows no mapper.
 */
@NullMarked
package io.github.snowflakeid.internal.mapping;

import org.jspecify.annotations.NullMarked;
