package io.github.snowflakeid.pages;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The public types of both modules. The page says whom each is for, and {@code api.txt} has what users compile against, so
 * that a change of the API is a change of a file. With {@code -Dpages.write}, the tests write what the code says.
 */
class ApiTests {

    private static final boolean WRITES = System.getProperty("pages.write") != null;

    private static final String COMMAND = "mvn -pl snowflake-spring-boot-starter -am test -Dtest=ApiTests"
            + " -Dsurefire.failIfNoSpecifiedTests=false -Dpages.write";

    private static final Path DESCRIPTION = Page.DOCS.resolve("api.txt");

    private static final String ROOT = "io.github.snowflakeid";

    /** Whom a type is for, in the order of the rows of the page. */
    private enum Group {
        APPLICATIONS,
        OWN_STORES,
        USED_BY_NAME,
        NOT_API;

        /** Returns the types and packages that the page names in the row of this group. */
        private Set<String> names() {
            return Pattern.compile("`([^`]+)`")
                    .matcher(Page.of("compatibility.md")
                            .section("Public types")
                            .rows()
                            .get(ordinal() + 2)
                            .get(0))
                    .results()
                    .map(name -> name.group(1))
                    .collect(Collectors.toSet());
        }
    }

    private static List<JavaClass> types() {
        return new ClassFileImporter()
                        .withImportOption(new ImportOption.DoNotIncludeTests())
                        .withImportOption(location -> !location.contains("-tests.jar"))
                        .importPackages(ROOT)
                        .stream()
                        .filter(type ->
                                type.isTopLevelClass() && type.getModifiers().contains(JavaModifier.PUBLIC))
                        .filter(type -> !(type.getPackageName() + ".").contains(".internal."))
                        .sorted(Comparator.comparing(JavaClass::getName))
                        .toList();
    }

    private static Set<Group> groupsOf(JavaClass type) {
        Set<String> names = Set.of(type.getSimpleName(), relative(type.getPackageName()));
        Set<Group> groups = Stream.of(Group.values())
                .filter(group -> group.names().stream()
                        .anyMatch(name -> names.stream().anyMatch(one -> one.matches(name.replace("…", ".*")))))
                .collect(Collectors.toSet());
        if (isHidden(type)) {
            groups.add(Group.NOT_API);
        }
        // What is named alone is not for those for whom its package is.
        if (groups.size() > 1) {
            groups.remove(Group.APPLICATIONS);
        }
        return groups;
    }

    private static String relative(String packageName) {
        return packageName.replace(ROOT + ".", "");
    }

    /** Returns whether the comment of the type keeps it out of the Javadoc. */
    private static boolean isHidden(JavaClass type) {
        return Stream.of("snowflake-core", "snowflake-spring-boot-starter")
                .map(module -> Page.ROOT.resolve(
                        module + "/src/main/java/" + type.getName().replace('.', '/') + ".java"))
                .filter(Files::exists)
                .anyMatch(source -> Page.read(source).split("\npublic ", 2)[0].contains("\n * @hidden"));
    }

    @Test
    void everyPublicTypeIsForOneGroup() {
        assertThat(types())
                .hasSizeGreaterThan(90)
                .allSatisfy(type -> assertThat(groupsOf(type))
                        .as(
                                "%s is public. Make it package-private, move it to an internal package, or name it or"
                                        + " its package in the table of docs/compatibility.md. If a framework calls it, add"
                                        + " @hidden to its Javadoc.",
                                type.getName())
                        .hasSize(1));
    }

    @Test
    void everyNameInTheTableIsAPublicTypeOrAPackage() {
        Set<String> present = types().stream()
                .flatMap(type -> Stream.of(type.getSimpleName(), relative(type.getPackageName())))
                .collect(Collectors.toSet());
        for (Group group : List.of(Group.APPLICATIONS, Group.OWN_STORES, Group.USED_BY_NAME)) {
            assertThat(group.names())
                    .as(group.name())
                    .isNotEmpty()
                    .allSatisfy(name -> assertThat(present).anyMatch(one -> one.matches(name.replace("…", ".*"))));
        }
    }

    @Test
    void everyChangeOfTheApiIsAChangeOfItsDescription() throws Exception {
        Map<Group, List<JavaClass>> groups = types().stream()
                .filter(type -> groupsOf(type).size() == 1)
                .collect(Collectors.groupingBy(
                        type -> groupsOf(type).iterator().next(), TreeMap::new, Collectors.toList()));
        StringBuilder lines = new StringBuilder();
        for (Map.Entry<Group, List<JavaClass>> group : groups.entrySet()) {
            lines.append("# %s\n".formatted(group.getKey().name().replace('_', ' ')));
            for (JavaClass type : group.getValue()) {
                Stream<String> description = switch (group.getKey()) {
                    case APPLICATIONS, OWN_STORES -> ApiDescription.of(Class.forName(type.getName()));
                    case USED_BY_NAME, NOT_API -> Stream.of(type.getName());
                };
                description.forEach(line -> lines.append(line).append('\n'));
            }
        }
        check(DESCRIPTION, lines.toString());
    }

    /** The comparison with the last release leaves out the same types. */
    @Test
    void comparisonOfReleasesLeavesOutWhatIsNotApi() throws IOException {
        Path pom = Page.ROOT.resolve("pom.xml");
        String excludes = types().stream()
                .filter(type -> groupsOf(type).contains(Group.NOT_API))
                .map(type -> "\n                            <exclude>%s</exclude>".formatted(type.getName()))
                .collect(Collectors.joining());
        check(
                pom,
                Page.read(pom)
                        .replaceFirst(
                                "(?s)(<exclude>" + ROOT + "\\.internal</exclude>).*?(\\s*</excludes>)",
                                "$1" + Matcher.quoteReplacement(excludes) + "$2"));
    }

    private static void check(Path file, String text) throws IOException {
        if (WRITES) {
            Files.writeString(file, text);
        } else {
            assertThat(Page.read(file))
                    .as("%s. After a deliberate change of the API, run: %s", file.getFileName(), COMMAND)
                    .isEqualTo(text);
        }
    }
}
