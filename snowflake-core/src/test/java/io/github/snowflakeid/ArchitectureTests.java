package io.github.snowflakeid;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;

class ArchitectureTests {

    private static final JavaClasses CORE = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.github.snowflakeid");

    @Test
    void coreSeesOnlyJavaAndNullnessAnnotations() {
        check(classes()
                .should()
                .onlyDependOnClassesThat(resideInAPackage("io.github.snowflakeid..")
                        .or(resideInAPackage("java.."))
                        .or(resideInAPackage("org.jspecify.annotations")))
                .because("the core is for plain Java; frameworks and databases are the starter's"));
    }

    @Test
    void onlyOneClassReadsTheSystemClock() {
        check(noClasses()
                .that()
                .doNotHaveFullyQualifiedName(Time.class.getName())
                .should()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .callMethod(System.class, "nanoTime")
                .orShould()
                .callMethod(Instant.class, "now")
                .orShould()
                .callMethod(InstantSource.class, "system")
                .orShould()
                .callMethod(Clock.class, "systemUTC")
                .orShould()
                .callMethod(Clock.class, "systemDefaultZone")
                .because("a settable clock replaces it in every test only if there is one place to replace"));
    }

    @Test
    void nothingHoldsAMonitor() {
        check(methods()
                .should()
                .notHaveModifier(JavaModifier.SYNCHRONIZED)
                .because("a monitor pins virtual threads, and who holds one can be paused"));
    }

    @Test
    void publicClassesAreFinalOrMadeToBeImplemented() {
        check(classes()
                .that()
                .arePublic()
                .and()
                .areNotInterfaces()
                .and()
                .doNotHaveModifier(JavaModifier.ABSTRACT)
                .should()
                .haveModifier(JavaModifier.FINAL)
                .because("a subclass could break what the class guarantees"));
    }

    private static void check(ArchRule rule) {
        rule.check(CORE);
    }
}
