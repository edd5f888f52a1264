package io.github.snowflakeid.it;

/** What differs on Spring Boot 4.1. */
final class ThisLine {
    static final String VERSIONS = "4\\.1\\..* 7\\..*";

    private ThisLine() {}
}
