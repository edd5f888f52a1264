package io.github.snowflakeid.sample;

import io.github.snowflakeid.publicid.PublicId;

/** The ID of an order: a number in the database, and a public ID in paths, parameters and JSON. */
@PublicId("order")
record OrderId(long value) {}
