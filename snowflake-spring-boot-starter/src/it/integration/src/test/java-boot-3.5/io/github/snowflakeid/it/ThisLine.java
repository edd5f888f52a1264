package io.github.snowflakeid.it;

/** What differs on Spring Boot 3.5. */
final class ThisLine {
    static final String VERSIONS = "3\\.5\\..* 6\\..*";

    private ThisLine() {}
}
