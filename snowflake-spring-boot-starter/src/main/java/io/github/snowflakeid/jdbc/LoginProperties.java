package io.github.snowflakeid.jdbc;

import org.jspecify.annotations.Nullable;

/** The properties that leases and counters have in common. */
interface LoginProperties {

    @Nullable
    String username();

    @Nullable
    String password();

    boolean singleProcess();

    @Nullable
    Dialect platform();
}
