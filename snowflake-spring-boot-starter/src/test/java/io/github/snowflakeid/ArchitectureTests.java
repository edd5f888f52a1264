package io.github.snowflakeid;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noFields;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;
import io.github.snowflakeid.autoconfigure.SnowflakeAutoConfiguration;
import io.github.snowflakeid.autoconfigure.SnowflakeDataSource;
import io.github.snowflakeid.autoconfigure.SnowflakeGenerators;
import io.github.snowflakeid.test.SettableClock;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.Temporal;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ArchitectureTests {

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .withImportOption(location -> !location.contains("-tests.jar"))
            .importPackages("io.github.snowflakeid");

    private static final String CORE_PACKAGES = "io\\.github\\.snowflakeid(\\.(internal|segment|text|worker))?";

    private static final String[] CORE = {
        "io.github.snowflakeid",
        "io.github.snowflakeid.internal",
        "io.github.snowflakeid.segment",
        "io.github.snowflakeid.worker"
    };

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
    void springOrmIsKnownToTheConfigurationOfHibernate() {
        noClasses()
                .that()
                .doNotHaveFullyQualifiedName("io.github.snowflakeid.hibernate.EntityManagerFactoryIds")
                .and()
                .doNotHaveFullyQualifiedName("io.github.snowflakeid.hibernate.SnowflakeHibernateAutoConfiguration")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.springframework.orm..")
                .because("an application without JPA must start, and Hibernate without Spring must get IDs as well")
                .check(CLASSES);
    }

    @Test
    void springDataIsKnownToOnePackage() {
        noClasses()
                .that(not(resideInAnyPackage("..data..", "..redis..", "..mongodb..")))
                .and()
                .doNotHaveFullyQualifiedName("io.github.snowflakeid.internal.store.OtherDatabases$Factories")
                .and()
                .haveNameNotMatching(".*\\.publicid\\.(web\\.SerializableCodecs|graphql\\.GraphQlIds).*")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.springframework.data..", "io.r2dbc..", "reactor..")
                .because("an application without Spring Data must start")
                .check(CLASSES);
    }

    @Test
    void springDataRestIsKnownToOneClass() {
        noClasses()
                .that()
                .doNotHaveFullyQualifiedName("io.github.snowflakeid.publicid.data.SnowflakeDataRestAutoConfiguration")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.springframework.data.rest..", "org.springframework.plugin..")
                .because("an application with Spring Data alone must start")
                .check(CLASSES);
    }

    @Test
    void springForGraphQlIsKnownToOnePackage() {
        noClasses()
                .that(not(resideInAPackage("..publicid.graphql..")))
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.springframework.graphql..", "graphql..")
                .because("an application without GraphQL must start")
                .check(CLASSES);
    }

    @Test
    void feignIsKnownToOnePackage() {
        noClasses()
                .that(not(resideInAPackage("..publicid.feign..")))
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.springframework.cloud..", "feign..")
                .because("an application without Feign must start")
                .check(CLASSES);
    }

    @Test
    void springMessagingIsKnownToOnePackage() {
        noClasses()
                .that(not(resideInAPackage("..publicid.messaging..")))
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.springframework.messaging..")
                .because("an application without messages must start")
                .check(CLASSES);
    }

    @Test
    void redisIsKnownToOnePackage() {
        noClasses()
                .that(not(resideInAPackage("..redis..")))
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.springframework.data.redis..", "io.lettuce..")
                .because("an application without Redis must start")
                .check(CLASSES);
        noClasses()
                .that()
                .doNotHaveFullyQualifiedName("io.github.snowflakeid.redis.DedicatedConnection")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.lettuce..")
                .because("an application with Jedis alone must start")
                .check(CLASSES);
    }

    @Test
    void mybatisIsKnownToItsPackages() {
        noClasses()
                .that(not(resideInAnyPackage("..mybatis..", "..mybatisplus..", "..mybatisflex..")))
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
    void mybatisFlexIsKnownToOnePackage() {
        noClasses()
                .that(not(resideInAPackage("..mybatisflex..")))
                .should()
                .dependOnClassesThat()
                .resideInAPackage("com.mybatisflex..")
                .because("an application with MyBatis alone must start")
                .check(CLASSES);
    }

    @Test
    void mongodbIsKnownToOnePackage() {
        noClasses()
                .that(not(resideInAPackage("..mongodb..")))
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.springframework.data.mongodb..", "com.mongodb..", "org.bson..")
                .because("an application with another Spring Data module must start")
                .check(CLASSES);
    }

    @Test
    void jdbcIsKnownToOnePackageAndItsConfiguration() {
        noClasses()
                .that(not(resideInAnyPackage(
                        "..jdbc..",
                        "..numbers..",
                        "..shardingsphere..",
                        "..mybatis..",
                        "..mybatisplus..",
                        "..hibernate..")))
                .and()
                .doNotHaveFullyQualifiedName("io.github.snowflakeid.data.JdbcColumnCheck")
                .and()
                .doNotHaveFullyQualifiedName("io.github.snowflakeid.data.SnowflakeDataJdbcAutoConfiguration")
                .and()
                .doNotHaveFullyQualifiedName("io.github.snowflakeid.internal.mapping.NarrowColumn")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("java.sql..", "javax.sql..", "org.springframework.jdbc..")
                .because("an application without a database must start")
                .check(CLASSES);
    }

    @Test
    void jackson2IsKnownToOnePackage() {
        noClasses()
                .that(not(resideInAnyPackage("..json.jackson2..", "..json.springdoc..")))
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("com.fasterxml.jackson.databind..", "com.fasterxml.jackson.core..")
                .because("an application with Jackson 3 alone must start; springdoc brings Jackson 2")
                .check(CLASSES);
    }

    @Test
    void jackson3IsKnownToOnePackage() {
        noClasses()
                .that(not(resideInAPackage("..json.jackson3..")))
                .should()
                .dependOnClassesThat()
                .resideInAPackage("tools.jackson..")
                .because("an application with Jackson 2 alone must start")
                .check(CLASSES);
    }

    @Test
    void annotationsOfJacksonAreKnownToJson() {
        noClasses()
                .that(not(resideInAPackage("..json..")))
                .should()
                .dependOnClassesThat()
                .resideInAPackage("com.fasterxml.jackson.annotation..")
                .because("an application without JSON must start, and compile without a warning")
                .check(CLASSES);
    }

    @Test
    void springdocIsKnownToOnePackage() {
        noClasses()
                .that(not(resideInAPackage("..json.springdoc..")))
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.springdoc..", "io.swagger..")
                .because("an application without a description of its API must start")
                .check(CLASSES);
    }

    @Test
    void springWebIsKnownToOnePackage() {
        noClasses()
                .that(not(resideInAPackage("..publicid.web..")))
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.springframework.web..", "org.springframework.http..")
                .because("an application without a web server must start")
                .check(CLASSES);
    }

    @Test
    void shardingSphereIsKnownToOnePackage() {
        noClasses()
                .that(not(resideInAPackage("..shardingsphere..")))
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.apache.shardingsphere..")
                .because("an application without shards must start")
                .check(CLASSES);
    }

    @Test
    void zooKeeperIsKnownToOnePackage() {
        noClasses()
                .that(not(resideInAPackage("..zookeeper..")))
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.apache.curator..", "org.apache.zookeeper..")
                .because("an application without ZooKeeper must start")
                .check(CLASSES);
    }

    @Test
    void actuatorIsKnownToItsPackages() {
        noClasses()
                .that(not(resideInAnyPackage("..actuate..", "..publicid.actuator..")))
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.springframework.boot.actuate..", "org.springframework.boot.health..")
                .because("an application without Actuator must start")
                .check(CLASSES);
    }

    @Test
    void healthOfEachLineOfSpringBootIsKnownToOnePackage() {
        noClasses()
                .that(not(resideInAPackage("..actuate.boot3..")))
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "org.springframework.boot.actuate.health..",
                        "org.springframework.boot.actuate.autoconfigure.health..")
                .because("Spring Boot 4 does not have them")
                .check(CLASSES);
        noClasses()
                .that(not(resideInAPackage("..actuate.boot4..")))
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.springframework.boot.health..")
                .because("Spring Boot 3.5 does not have them")
                .check(CLASSES);
    }

    @Test
    void micrometerIsKnownToOnePackage() {
        noClasses()
                .that(not(resideInAPackage("..micrometer..")))
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.micrometer..")
                .because("an application without meters must start")
                .check(CLASSES);
    }

    @Test
    void springTestIsKnownToOnePackage() {
        noClasses()
                .that(not(resideInAPackage("..test.autoconfigure..")))
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.springframework.test..")
                .because("an application has no test framework")
                .check(CLASSES);
    }

    @Test
    void channelsAreKnownToOnePackage() {
        noClasses()
                .that(not(resideInAPackage("..file..")))
                .should()
                .dependOnClassesThat()
                .resideInAPackage("java.nio.channels..")
                .because("a process loses its lock on a file when it closes that file anywhere")
                .check(CLASSES);
    }

    @Test
    void adaptersDoNotKnowHowTheyAreConfigured() {
        noClasses()
                .that(not(resideInAPackage("io.github.snowflakeid.autoconfigure")))
                .and()
                .haveSimpleNameNotEndingWith("AutoConfiguration")
                .should()
                .dependOnClassesThat(resideInAPackage("io.github.snowflakeid.autoconfigure")
                        .and(not(type(SnowflakeGenerators.class)))
                        .and(not(type(SnowflakeDataSource.class))))
                .because("dependencies point one way: configuration to adapter to core")
                .check(CLASSES);
    }

    @Test
    void packagesAreFreeOfCycles() {
        SlicesRuleDefinition.slices()
                .assignedFrom(new SliceAssignment() {
                    @Override
                    public SliceIdentifier getIdentifierOf(JavaClass any) {
                        return any.getPackageName().matches(CORE_PACKAGES)
                                ? SliceIdentifier.ignore()
                                : SliceIdentifier.of(any.getPackageName());
                    }

                    @Override
                    public String getDescription() {
                        return "packages of the starter";
                    }
                })
                .should()
                .beFreeOfCycles()
                .because("a package can be understood without those that use it")
                .check(CLASSES);
    }

    @Test
    void textFormsOfIdsAreKnownToTheirPackages() {
        String[] texts = {"..publicid..", "io.github.snowflakeid.json..", "..internal.text..", "..internal.json.."};
        noClasses()
                .that(not(resideInAnyPackage(texts)))
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(texts)
                .because("generators, stores and mappers work without them")
                .check(CLASSES);
    }

    @Test
    void theCoreDoesNotKnowTheStarter() {
        classes()
                .that()
                .resideInAnyPackage(CORE)
                .should()
                .onlyDependOnClassesThat(
                        resideInAnyPackage("java..", "org.jspecify..").or(resideInAnyPackage(CORE)))
                .because("the core is used without Spring as well")
                .check(CLASSES);
    }

    @Test
    void classesAreFreeOfCycles() {
        SlicesRuleDefinition.slices()
                .assignedFrom(new SliceAssignment() {
                    @Override
                    public SliceIdentifier getIdentifierOf(JavaClass any) {
                        return any.getPackageName().matches(CORE_PACKAGES)
                                ? SliceIdentifier.ignore()
                                : SliceIdentifier.of(outermost(any).getName());
                    }

                    @Override
                    public String getDescription() {
                        return "classes of the starter with what is nested in them";
                    }
                })
                .should()
                .beFreeOfCycles()
                .because("a class can be understood without those that use it")
                .check(CLASSES);
    }

    /** The compiler copies constants, so that a compiled class does not depend on the class that declares them. */
    @Test
    void constantsCauseNoCycles() throws Exception {
        Pattern constant = Pattern.compile("\\b([A-Z]\\w+)\\.[A-Z][A-Z\\d_]+\\b");
        Path root = Path.of("src/main/java");
        try (Stream<Path> sources = Files.walk(root)) {
            assertThat(sources.filter(source -> source.toString().endsWith(".java")))
                    .allSatisfy(source -> {
                        String code = Files.readString(source);
                        String user = root.relativize(source)
                                .toString()
                                .replaceFirst("\\.java$", "")
                                .replace(File.separatorChar, '.');
                        assertThat(constant.matcher(code).results().map(each -> declared(each.group(1), user, code)))
                                .filteredOn(owner -> CLASSES.contain(owner) && !owner.equals(user))
                                .as("classes that declare constants for %s", user)
                                .noneMatch(owner -> CLASSES.get(owner).getTransitiveDependenciesFromSelf().stream()
                                        .anyMatch(each ->
                                                each.getTargetClass().getName().equals(user)));
                    });
        }
    }

    private static String declared(String type, String user, String code) {
        Matcher imported = Pattern.compile("import (\\S+\\." + type + ");").matcher(code);
        return imported.find() ? imported.group(1) : user.replaceFirst("\\w+$", type);
    }

    private static JavaClass outermost(JavaClass any) {
        return any.getEnclosingClass().map(ArchitectureTests::outermost).orElse(any);
    }

    /** Comments, blank lines and imports do not count. */
    @Test
    void noClassIsLongerThanCanBeReadAtOnce() throws Exception {
        try (Stream<Path> sources = Files.walk(Path.of("src/main/java"))) {
            assertThat(sources.filter(source -> source.toString().endsWith(".java")))
                    .hasSizeGreaterThan(100)
                    .allSatisfy(source -> assertThat(linesOfCode(source))
                            .as("lines of code in %s, because one class has one subject", source.getFileName())
                            .isLessThanOrEqualTo(300));
        }
    }

    /** Error Prone reports other formats, but only if they are constants. */
    @Test
    void integersAreFormattedWithoutTheDigitsOfALocale() throws Exception {
        Pattern localized = Pattern.compile("%(\\d+\\$)?[-#+0,(]*\\d*d");
        for (String module : new String[] {"snowflake-core", "snowflake-spring-boot-starter", "snowflake-sample"}) {
            try (Stream<Path> sources = Files.walk(Path.of("..", module, "src/main/java"))) {
                assertThat(sources.filter(Files::isRegularFile))
                        .isNotEmpty()
                        .allSatisfy(source -> assertThat(Files.readString(source))
                                .as("%s: %%s writes the digits of ASCII in every locale", source)
                                .doesNotContainPattern(localized));
            }
        }
    }

    private static long linesOfCode(Path source) throws IOException {
        String withoutComments = Pattern.compile("/\\*.*?\\*/", Pattern.DOTALL)
                .matcher(Files.readString(source))
                .replaceAll("");
        return withoutComments
                .lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty() && !line.startsWith("//") && !line.startsWith("import "))
                .count();
    }

    @Test
    void theClockIsReadInOnePlace() {
        noClasses()
                .that()
                .resideInAPackage("io.github.snowflakeid..")
                .and()
                .doNotHaveFullyQualifiedName(
                        SnowflakeAutoConfiguration.class.getPackageName() + ".SnowflakeGeneratorFactory")
                .and()
                .doNotHaveFullyQualifiedName("io.github.snowflakeid.TimeSource")
                .and()
                .doNotHaveFullyQualifiedName("io.github.snowflakeid.mybatisplus.ExistingKeys")
                .should()
                .callMethod(Instant.class, "now")
                .orShould()
                .callMethod(System.class, "currentTimeMillis")
                .because("what depends on the time can then be found")
                .check(CLASSES);
    }

    @Test
    void noClassKeepsAMomentOfTheClock() {
        fields().that()
                .areNotDeclaredIn("io.github.snowflakeid.TrustedClock")
                .and()
                .areNotDeclaredIn("io.github.snowflakeid.IdLayout$Builder")
                .and()
                .areNotDeclaredIn(SettableClock.class)
                .and(DescribedPredicate.describe(
                        "hold an instant",
                        field -> field.getAllInvolvedRawTypes().stream()
                                .anyMatch(any -> any.isEquivalentTo(Instant.class))))
                .should()
                .beFinal()
                .andShould()
                .haveRawType(Instant.class)
                .because("the clock may be set before the next look at it: durations are measured by monotonic time")
                .check(CLASSES);
    }

    @Test
    void theClockIsComparedWithRecordedTimesOnly() {
        noClasses()
                .that(not(DescribedPredicate.describe(
                        "compare recorded times",
                        any -> Set.of(
                                        "CandidateSelector",
                                        "ClockedSnapshot",
                                        "KubernetesDocuments",
                                        "GeneratorLabels",
                                        "LeaseLog",
                                        "LeaseStatus",
                                        "LeaseSteps",
                                        "LeasesOfNamespace",
                                        "Reservation",
                                        "SnowflakeGeneratorFactory",
                                        "TrustedClock")
                                .contains(any.getSimpleName()))))
                .should()
                .callMethod(Duration.class, "between", Temporal.class, Temporal.class)
                .because("these compare a fence, an expiry or a clock of a store; other durations need monotonic time")
                .check(CLASSES);
    }

    @Test
    void nothingOutlivesTheApplication() {
        noFields()
                .should()
                .haveRawType(assignableTo(ClassValue.class).or(assignableTo(ThreadLocal.class)))
                .because(
                        "a class of the JDK, or a thread of a servlet container, would keep the class loader in memory")
                .check(CLASSES);
        noClasses()
                .should()
                .callMethod(Runtime.class, "addShutdownHook", Thread.class)
                .orShould()
                .dependOnClassesThat()
                .resideInAnyPackage("java.lang.management..", "javax.management..")
                .because("hooks and MBeans of an application that was undeployed keep its class loader in memory")
                .check(CLASSES);
    }
}
