package io.github.snowflakeid;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
                        .or(resideInAPackage("javax.crypto.."))
                        .or(resideInAPackage("org.jspecify.annotations")))
                .because("the core is for plain Java; frameworks and databases are the starter's"));
    }

    @Test
    void textsAndGeneratorsKnowNothingOfEachOther() {
        String text = "io.github.snowflakeid.text..";
        check(classes()
                .that()
                .resideInAPackage(text)
                .should()
                .onlyDependOnClassesThat(
                        resideInAnyPackage(text, "java..", "javax.crypto..", "org.jspecify.annotations"))
                .because("reading an ID needs no generator"));
        check(noClasses()
                .that()
                .resideOutsideOfPackage(text)
                .should()
                .dependOnClassesThat(resideInAnyPackage(text, "javax.crypto.."))
                .because("generating IDs needs neither text forms nor cryptography"));
    }

    @Test
    void onlyOneClassReadsTheSystemClock() {
        check(noClasses()
                .that()
                .doNotHaveFullyQualifiedName(TimeSource.class.getName())
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

    /** A monitor pins virtual threads, and a thread that holds one may be paused. */
    @Test
    void nothingHoldsAMonitor() throws Exception {
        assertThat(codeOf(CORE.stream().map(JavaClass::getName).toArray(String[]::new)))
                .contains("invokevirtual")
                .doesNotContain("monitorenter", "synchronized");
    }

    /** Generating an ID is fast only if these classes have this form, as their sources explain. */
    @ParameterizedTest
    @CsvSource({
        "io.github.snowflakeid.SlotIssuer, claimByTheClock",
        "io.github.snowflakeid.segment.SegmentSupplier, nextAtMilestone"
    })
    void whatIsDoneNowAndThenIsTooLongToBeInlined(String type, String name) throws Exception {
        String method = codeOf(type).split(" long " + name + "\\(", 2)[1].split("\\R\\R", 2)[0];
        // The tool writes the digits of the default locale.
        int last = Pattern.compile("(?mU)^ *(\\d+): [a-z]")
                .matcher(method)
                .results()
                .mapToInt(line -> Integer.parseInt(line.group(1)))
                .max()
                .orElseThrow();
        assertThat(last).isGreaterThan(325);
    }

    private static String codeOf(String... classes) throws Exception {
        URL root =
                SnowflakeIdGenerator.class.getProtectionDomain().getCodeSource().getLocation();
        StringWriter code = new StringWriter();
        PrintWriter out = new PrintWriter(code);
        Stream<String> options =
                Stream.of("-c", "-p", "-cp", Path.of(root.toURI()).toString());
        int failed = ToolProvider.findFirst("javap")
                .orElseThrow()
                .run(out, out, Stream.concat(options, Stream.of(classes)).toArray(String[]::new));
        assertThat(failed).as(code.toString()).isZero();
        return code.toString();
    }

    @Test
    void publicClassesAreFinalOrDesignedForImplementation() {
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

    @Test
    void everyArrowBetweenClassesPointsDown() {
        check(SlicesRuleDefinition.slices()
                .assignedFrom(new SliceAssignment() {
                    @Override
                    public SliceIdentifier getIdentifierOf(JavaClass any) {
                        return SliceIdentifier.of(outermost(any).getName());
                    }

                    @Override
                    public String getDescription() {
                        return "classes with what is nested in them";
                    }
                })
                .should()
                .beFreeOfCycles()
                .ignoreDependency(
                        JavaClass.Predicates.equivalentTo(WorkerIdAssigner.class),
                        JavaClass.Predicates.simpleName("HostWorkerIdAssigner"))
                .ignoreDependency(DescribedPredicate.alwaysTrue(), describe("values", ArchitectureTests::isValues))
                .because("a house can be walked from the top down only if no room leads back up;"
                        + " a factory method on an interface may name what it makes"));
    }

    /** Annotations and their values are dependencies as well. */
    @Test
    void everyArrowBetweenPackagesPointsDown() {
        assertThat(CORE.get(WorkerIdAssigner.class).getDirectDependenciesFromSelf())
                .as("annotations are dependencies")
                .anyMatch(any -> any.getTargetClass().isEquivalentTo(FunctionalInterface.class));
        check(SlicesRuleDefinition.slices()
                .assignedFrom(new SliceAssignment() {
                    @Override
                    public SliceIdentifier getIdentifierOf(JavaClass any) {
                        return SliceIdentifier.of(any.getPackageName());
                    }

                    @Override
                    public String getDescription() {
                        return "packages";
                    }
                })
                .should()
                .beFreeOfCycles()
                .because("a package can be read and replaced without those above it"));
    }

    private static boolean isValues(JavaClass any) {
        return outermost(any).getSimpleName().endsWith("Values");
    }

    private static JavaClass outermost(JavaClass any) {
        return any.getEnclosingClass().map(ArchitectureTests::outermost).orElse(any);
    }

    @Test
    void issuerKnowsNeitherThreadsNorLeases() {
        check(
                noClasses()
                        .that()
                        .haveNameMatching(".*\\.(SlotIssuer|DriftBudget|Allocation|TickClock)(\\$.*)?")
                        .should()
                        .dependOnClassesThat()
                        .haveNameMatching(
                                ".*\\.(ClockFreeIssuer|LeaseKeeper|LeaseSteps|LeaseStatus|LeaseTerms|WorkerRegistry|SnowflakeIdGenerator)")
                        .because(
                                "claiming and waiting is correct whichever thread reads the clock, and whichever thread moves the fence"));
    }

    /** Comments and blank lines do not count. */
    @Test
    void noClassIsLongerThanCanBeReadAtOnce() throws Exception {
        int most = 300;
        try (Stream<Path> sources = Files.walk(Path.of("src/main/java"))) {
            assertThat(sources.filter(source -> source.toString().endsWith(".java")))
                    .hasSizeGreaterThan(20)
                    .allSatisfy(source -> assertThat(linesOfCode(source))
                            .as("lines of code in %s, because one class has one subject", source.getFileName())
                            .isLessThanOrEqualTo(most));
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

    private static void check(ArchRule rule) {
        rule.check(CORE);
    }
}
