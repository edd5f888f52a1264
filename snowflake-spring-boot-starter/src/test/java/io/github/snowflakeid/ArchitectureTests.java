package io.github.snowflakeid;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.github.snowflakeid.autoconfigure.SnowflakeAutoConfiguration;
import io.github.snowflakeid.autoconfigure.SnowflakeJdbcAutoConfiguration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class ArchitectureTests {

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .withImportOption(location -> !location.contains("-tests.jar"))
            .importPackages("io.github.snowflakeid");

    @Test
    void hibernateIsKnownToOnePackage() {
        noClasses()
                .that(not(resideInAPackage("..hibernate..")))
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.hibernate..", "jakarta.persistence..")
                .because("an application without JPA must start")
                .check(CLASSES);
    }

    @Test
    void springOrmIsKnownToOnePackage() {
        noClasses()
                .that(not(resideInAPackage("..autoconfigure..")))
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.springframework.orm..")
                .because("an application without JPA must start, and Hibernate without Spring must get ids as well")
                .check(CLASSES);
    }

    @Test
    void springDataIsKnownToOnePackage() {
        noClasses()
                .that(not(resideInAPackage("..data..")))
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.springframework.data..", "io.r2dbc..", "reactor..")
                .because("an application without Spring Data must start")
                .check(CLASSES);
    }

    @Test
    void mybatisIsKnownToItsPackages() {
        noClasses()
                .that(not(resideInAnyPackage("..mybatis..", "..mybatisplus..")))
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.apache.ibatis..")
                .because("an application without MyBatis must start")
                .check(CLASSES);
    }

    @Test
    void mybatisPlusIsKnownToOnePackage() {
        noClasses()
                .that(not(resideInAPackage("..mybatisplus..")))
                .should()
                .dependOnClassesThat()
                .resideInAPackage("com.baomidou..")
                .because("an application with MyBatis alone must start")
                .check(CLASSES);
    }

    @Test
    void jdbcIsKnownToOnePackageAndItsConfiguration() {
        noClasses()
                .that(not(resideInAPackage("..jdbc..")))
                .and()
                .doNotHaveFullyQualifiedName(SnowflakeJdbcAutoConfiguration.class.getName())
                .and()
                .doNotHaveFullyQualifiedName(SnowflakeJdbcAutoConfiguration.class.getName() + "$OnStrategy")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("java.sql..", "javax.sql..", "org.springframework.jdbc..")
                .because("an application without a database must start")
                .check(CLASSES);
    }

    @Test
    void adaptersDoNotKnowHowTheyAreConfigured() {
        noClasses()
                .that()
                .resideInAnyPackage("..hibernate..", "..jdbc..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("..autoconfigure..")
                .because("dependencies point one way: configuration to adapter to core")
                .check(CLASSES);
    }

    @Test
    void theCoreDoesNotKnowTheStarter() {
        classes()
                .that()
                .resideInAnyPackage("io.github.snowflakeid", "io.github.snowflakeid.worker")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage("java..", "org.jspecify..", "io.github.snowflakeid", "io.github.snowflakeid.worker")
                .because("the core is used without Spring as well")
                .check(CLASSES);
    }

    @Test
    void theClockIsReadInOnePlace() {
        noClasses()
                .that()
                .resideInAPackage("io.github.snowflakeid..")
                .and()
                .doNotHaveFullyQualifiedName(SnowflakeAutoConfiguration.class.getPackageName() + ".ConfiguredGenerator")
                .and()
                .doNotHaveFullyQualifiedName("io.github.snowflakeid.Time")
                .should()
                .callMethod(Instant.class, "now")
                .orShould()
                .callMethod(System.class, "currentTimeMillis")
                .because("what depends on the time can then be found")
                .check(CLASSES);
    }
}
