package io.github.snowflakeid.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class MigrationModulesTests {

    private static final String FLYWAY = "org.flywaydb.core.Flyway";

    @Test
    void nameTheStarterOfALibraryThatNothingRuns() {
        assertThat(MigrationModules.missing(List.of(FLYWAY)::contains)).isEqualTo("""
                Flyway is on the class path, but Spring Boot does not run its migrations. If one of them creates the table, add the dependency:

                org.springframework.boot:spring-boot-starter-flyway

                """);
        assertThat(MigrationModules.missing(List.of("liquibase.Liquibase")::contains))
                .contains("org.springframework.boot:spring-boot-starter-liquibase");
    }

    @Test
    void areNotMissingWithoutALibraryOrWithItsModule() {
        assertThat(MigrationModules.missing(type -> false)).isEmpty();
        for (String configuration : List.of(
                "org.springframework.boot.autoconfigure.flyway.FlywayAutoConfiguration",
                "org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration")) {
            assertThat(MigrationModules.missing(List.of(FLYWAY, configuration)::contains))
                    .isEmpty();
        }
    }
}
