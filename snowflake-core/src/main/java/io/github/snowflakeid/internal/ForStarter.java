package io.github.snowflakeid.internal;

/** The parameter of methods that are public only because the starter calls them from another package. */
public enum ForStarter {
    /** The only value. */
    KEY
}
