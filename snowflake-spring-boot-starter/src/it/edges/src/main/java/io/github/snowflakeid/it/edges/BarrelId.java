package io.github.snowflakeid.it.edges;

import io.github.snowflakeid.publicid.PublicId;

@PublicId("barrel")
public record BarrelId(long value) {}
