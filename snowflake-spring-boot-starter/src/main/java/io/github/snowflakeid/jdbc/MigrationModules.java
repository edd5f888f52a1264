package io.github.snowflakeid.jdbc;

import java.util.Locale;
import java.util.function.Predicate;

/** Finds out why migrations did not run. Since Spring Boot 4, it needs a module for each migration library. */
final class MigrationModules {

    private MigrationModules() {}

    /**
     * Returns advice if a migration library is on the class path without the module that runs it; empty otherwise.
     *
     * @param isPresent whether a class is on the class path
     */
    static String missing(Predicate<String> isPresent) {
        return missing(isPresent, "org.flywaydb.core.Flyway", "Flyway")
                + missing(isPresent, "liquibase.Liquibase", "Liquibase");
    }

    private static String missing(Predicate<String> isPresent, String library, String name) {
        String module = name.toLowerCase(Locale.ROOT);
        String configuration = "." + name + "AutoConfiguration";
        boolean isMissing = isPresent.test(library)
                && !isPresent.test("org.springframework.boot.autoconfigure." + module + configuration)
                && !isPresent.test("org.springframework.boot." + module + ".autoconfigure" + configuration);
        return isMissing ? """
                %s is on the class path, but Spring Boot does not run its migrations. If one of them creates the table, add the dependency:

                org.springframework.boot:spring-boot-starter-%s

                """.formatted(name, module) : "";
    }
}
