package io.github.snowflakeid.pages;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.jayway.jsonpath.JsonPath;
import io.github.snowflakeid.autoconfigure.SnowflakeAutoConfiguration;
import io.github.snowflakeid.pages.Page.Block;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.convert.ApplicationConversionService;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.util.ClassUtils;
import org.xml.sax.InputSource;

/**
 * Checks that hold for every page: its links lead somewhere, and each of its blocks is compiled, run or at least
 * parsed.
 */
class PagesTests {

    private static final Set<String> LANGUAGES = Set.of(
            "java", "kotlin", "groovy", "yaml", "properties", "sql", "sh", "xml", "json", "promql", "html", "text");

    private static final String SOURCES = Stream.of(
                    "snowflake-core/src", "snowflake-spring-boot-starter/src", "snowflake-sample/src", "docs/sql")
            .flatMap(directory ->
                    Page.files(Page.ROOT.resolve(directory), ".java", ".kt", ".kts", ".gradle", ".sql").stream())
            .filter(file -> !file.endsWith("PagesTests.java"))
            .map(Page::read)
            .map(PagesTests::withoutSpace)
            .collect(Collectors.joining("\n"));

    /** The names of properties and their types. */
    private static final Map<String, String> PROPERTIES = properties();

    /** Pages whose SQL statements a test reads and runs. */
    private static final Set<String> SQL_IS_RUN = Set.of(
            "docs/document-numbers.md",
            "docs/from-other-libraries.md",
            "docs/migration.md#import-rows",
            "docs/jdbc.md",
            "docs/migration.md",
            "docs/mybatis.md",
            "docs/runbook.md",
            "docs/segment-stores.md",
            "docs/sequential-numbers.md",
            "docs/time.md");

    /** Spaces do not matter, nor does where a class is: on a page, it is not nested. */
    private static String withoutSpace(String text) {
        return text.replaceAll("(?m)^package .*;$", "").replaceAll("\\s+", "").replace("staticclass", "class");
    }

    private static Map<String, String> properties() {
        URL classes = SnowflakeAutoConfiguration.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation();
        try (InputStream json = new URL(classes, "META-INF/spring-configuration-metadata.json").openStream()) {
            List<Map<String, Object>> all = JsonPath.parse(json).read("$.properties[*]");
            Map<String, String> types = new HashMap<>();
            all.forEach(property -> types.merge(
                    (String) property.get("name"), (String) property.getOrDefault("type", ""), String::concat));
            return types;
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    static List<Page> pages() {
        return Page.all();
    }

    @ParameterizedTest
    @MethodSource("pages")
    void everyLinkLeadsToAFileAndAHeading(Page page) {
        Map<Path, Page> known = Page.all().stream().collect(Collectors.toMap(Page::path, other -> other));
        assertThat(page.links()).filteredOn(link -> !link.matches("[a-z]+:.*")).allSatisfy(link -> {
            String[] parts = link.split("#", 2);
            Path target = parts[0].isEmpty()
                    ? page.path()
                    : page.path().resolveSibling(parts[0]).normalize();
            assertThat(target).exists();
            if (parts.length == 2 && known.containsKey(target)) {
                assertThat(known.get(target).anchors()).as(link).contains(parts[1]);
            }
        });
    }

    @ParameterizedTest
    @MethodSource("pages")
    void everyBlockHasALanguage(Page page) {
        assertThat(page.blocks())
                .allSatisfy(block -> assertThat(LANGUAGES).as(block.toString()).contains(block.language()));
    }

    static Stream<Block> code() {
        return Stream.of("java", "kotlin", "sql")
                .flatMap(language -> Page.allBlocks(language).stream())
                // TranslationTests compares these with the English ones.
                .filter(block -> !block.page().startsWith("docs/zh-CN/"))
                .filter(block -> !(block.language().equals("sql") && SQL_IS_RUN.contains(block.page())))
                // Gradle's language is Kotlin, too.
                .filter(block -> !block.code().contains("implementation("));
    }

    @ParameterizedTest
    @MethodSource("code")
    void everyBlockOfCodeIsPartOfATestOrOfTheLibrary(Block block) {
        assertThat(SOURCES.contains(withoutSpace(block.code())))
                .as(block.page() + " has code that no test has:\n" + block.code())
                .isTrue();
    }

    static List<Block> shell() {
        return Page.allBlocks("sh");
    }

    @ParameterizedTest
    @MethodSource("shell")
    void everyBlockOfShellCommandsIsParsed(Block block) throws Exception {
        Path script = Files.createTempFile("block", ".sh");
        try {
            Files.writeString(script, block.code());
            Process bash = new ProcessBuilder("bash", "-n", script.toString())
                    .redirectErrorStream(true)
                    .start();

            assertThat(new String(bash.getInputStream().readAllBytes(), UTF_8)).isEmpty();
            assertThat(bash.waitFor()).isZero();
        } finally {
            Files.delete(script);
        }
    }

    static Stream<Block> configuration() {
        return Stream.of("yaml", "properties").flatMap(language -> Page.allBlocks(language).stream());
    }

    @ParameterizedTest
    @MethodSource("configuration")
    void everyPropertyOfTheLibraryExistsAndHasAValueOfItsType(Block block) throws IOException {
        Map<String, Object> values = new TreeMap<>();
        for (Map<String, Object> document : documents(block)) {
            values.putAll(document);
        }

        values.forEach((name, value) -> {
            if (name.startsWith("snowflake.") || name.startsWith("management.health.snowflake.")) {
                String property = name.replaceFirst("^snowflake\\.generators\\.[a-z0-9]+\\.", "snowflake.")
                        .replaceFirst("^snowflake\\.numbers\\..*", "snowflake.numbers")
                        .replaceFirst("\\[\\d+].*", "");
                assertThat(PROPERTIES).as(block.toString()).containsKey(property);
                assertConvertible(String.valueOf(value), PROPERTIES.get(property));
            }
        });
    }

    private static List<Map<String, Object>> documents(Block block) throws IOException {
        if (block.language().equals("properties")) {
            Properties properties = new Properties();
            properties.load(new StringReader(block.code()));
            return List.of(properties.stringPropertyNames().stream()
                    .collect(Collectors.toMap(name -> name, properties::getProperty)));
        }
        if (block.code().contains("- !")) {
            // ShardingSphere's own format, with types in front of values.
            return List.of();
        }
        return Page.properties(block.code()).stream().map(PagesTests::valuesOf).toList();
    }

    private static Map<String, Object> valuesOf(PropertySource<?> source) {
        Map<String, Object> values = new HashMap<>();
        for (String name : ((EnumerablePropertySource<?>) source).getPropertyNames()) {
            values.put(name, source.getProperty(name));
        }
        return values;
    }

    private static void assertConvertible(String value, String type) {
        boolean isSimple = type.matches("java\\.(lang|time)\\.\\w+") || type.matches("io\\.github\\.snowflakeid\\..*");
        if (isSimple && !value.contains("${") && !type.endsWith("IdLayout")) {
            try {
                Class<?> target = Class.forName(type);
                if (target.isEnum() || !type.startsWith("io.")) {
                    assertThat(ApplicationConversionService.getSharedInstance().convert(value, target))
                            .isNotNull();
                }
            } catch (ClassNotFoundException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    static List<Block> xml() {
        return Page.allBlocks("xml");
    }

    @ParameterizedTest
    @MethodSource("xml")
    void everyBlockOfXmlIsParsed(Block block) throws Exception {
        String document = "<all>" + block.code() + "</all>";

        assertThat(DocumentBuilderFactory.newInstance()
                        .newDocumentBuilder()
                        .parse(new InputSource(new StringReader(document)))
                        .getDocumentElement()
                        .getTextContent())
                .isNotBlank();
    }

    @Test
    void everyBlockOfJsonIsParsed() {
        assertThat(Page.allBlocks("json"))
                .allSatisfy(block -> assertThat(JsonPath.parse(block.code()).<Object>read("$"))
                        .as(block.toString())
                        .isNotNull());
    }

    @Test
    void everyPageIsInTheIndex() {
        Page index = Page.all().stream()
                .filter(page -> page.name().equals("docs/README.md"))
                .findFirst()
                .orElseThrow();

        assertThat(index.links())
                .map(link -> link.split("#")[0])
                .containsAll(Page.files(Page.DOCS, ".md").stream()
                        .map(file -> Page.DOCS.relativize(file).toString())
                        .filter(name -> !name.equals("README.md") && !name.startsWith("zh-CN/"))
                        .toList());
    }

    @Test
    void indexForToolsHasThePagesOfTheIndex() {
        Page index = Page.at(Page.ROOT.resolve("llms.txt"));
        String repository = "https://raw.githubusercontent.com/snowflakeid/snowflake/main/";

        assertThat(index.links()).allMatch(link -> link.startsWith(repository));
        assertThat(index.links().stream().map(link -> link.substring(repository.length())))
                .doesNotHaveDuplicates()
                .allSatisfy(link -> assertThat(Page.ROOT.resolve(link)).exists())
                .containsAll(Page.files(Page.DOCS, ".md").stream()
                        .map(file -> Page.ROOT.relativize(file).toString())
                        .filter(name -> !name.equals("docs/README.md"))
                        .filter(name -> !name.startsWith("docs/zh-CN/") || name.endsWith("/README.md"))
                        .toList());
    }

    @Test
    void importsForToolsAreTypesOfTheLibrary() {
        assertThat(Pattern.compile("`(io\\.github\\.snowflakeid\\.[\\w.]+)`")
                        .matcher(Page.of("for-tools.md").text())
                        .results()
                        .map(name -> name.group(1)))
                .isNotEmpty()
                .allSatisfy(name ->
                        assertThat(ClassUtils.isPresent(name, null)).as(name).isTrue());
    }

    @Test
    void everyFileIsLinkedFromAPage() throws IOException {
        Set<Path> linked = Page.all().stream()
                .flatMap(page -> page.links().stream()
                        .map(link -> page.path().resolveSibling(link).normalize()))
                .collect(Collectors.toSet());
        linked.add(Page.DOCS.resolve("benchmarks/Summary.java"));
        try (Stream<Path> files = Files.walk(Page.DOCS)) {
            assertThat(files.filter(Files::isRegularFile)
                            .filter(file -> !file.toString().endsWith(".md")))
                    .isNotEmpty()
                    .isSubsetOf(linked);
        }
    }
}
