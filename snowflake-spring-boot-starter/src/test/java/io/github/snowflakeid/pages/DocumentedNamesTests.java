package io.github.snowflakeid.pages;

import static org.assertj.core.api.Assertions.assertThat;

import com.jayway.jsonpath.JsonPath;
import io.github.snowflakeid.IdGenerator;
import io.github.snowflakeid.LeaseTerms;
import io.github.snowflakeid.SnowflakeIdGenerator;
import io.github.snowflakeid.WorkerRegistry;
import io.github.snowflakeid.actuate.FailingRegistry;
import io.github.snowflakeid.actuate.SnowflakeActuatorAutoConfiguration;
import io.github.snowflakeid.autoconfigure.SnowflakeAutoConfiguration;
import io.github.snowflakeid.event.SnowflakeLeaseEvent;
import io.github.snowflakeid.internal.actuate.GeneratorReport;
import io.github.snowflakeid.internal.actuate.SnowflakeEndpoint;
import io.github.snowflakeid.micrometer.SnowflakeMicrometerAutoConfiguration;
import io.github.snowflakeid.segment.InMemorySegmentStore;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.boot.actuate.info.Info;
import org.springframework.boot.actuate.info.InfoContributor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.yaml.snakeyaml.Yaml;

/**
 * Checks that everything the README and the pages in docs name exists: properties, meters, fields of the endpoint, log
 * categories. Conversely, everything that exists must be named. Tables of properties, meters, alerts, health and log
 * lines have separate tests.
 */
class DocumentedNamesTests {

    private static final String MONITORING = Page.of("monitoring.md").text();

    /** Names that the README shows as examples of mistakes. */
    private static final Set<String> WRONG = Set.of("snowflake.worker.leese.ttl", "snowflake.worker-id");

    private static Stream<Path> pages() {
        return Stream.concat(
                Stream.of(Page.ROOT.resolve("README.md")),
                Page.files(Page.ROOT.resolve("docs"), ".md", ".yml", ".json").stream());
    }

    private static String sources() {
        return Stream.of("snowflake-core", "snowflake-spring-boot-starter")
                .flatMap(module -> Page.files(Page.ROOT.resolve(module + "/src/main"), ".java").stream())
                .map(Page::read)
                .collect(Collectors.joining());
    }

    private static List<MatchResult> find(String text, String pattern) {
        return Pattern.compile(pattern, Pattern.MULTILINE)
                .matcher(text)
                .results()
                .toList();
    }

    /** Calls the check for each place of a name on the pages. */
    private static void named(String pattern, Consumer<String> check) {
        pages().forEach(page -> assertThat(find(Page.read(page), pattern))
                .as(page.toString())
                .allSatisfy(name -> check.accept(name.group())));
    }

    private static Set<String> properties() {
        URL classes = SnowflakeAutoConfiguration.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation();
        try (InputStream json = new URL(classes, "META-INF/spring-configuration-metadata.json").openStream()) {
            List<String> names = JsonPath.parse(json).read("$.properties[*].name");
            return new TreeSet<>(names);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Set<String> meters() {
        return MonitoringPageTests.meters().stream()
                .map(meter -> meter.getId().getName())
                .collect(Collectors.toSet());
    }

    private static void run(Consumer<AssertableApplicationContext> test) {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        SnowflakeAutoConfiguration.class,
                        SnowflakeActuatorAutoConfiguration.class,
                        SnowflakeMicrometerAutoConfiguration.class))
                .withBean(FailingRegistry.class)
                .withBean(InMemorySegmentStore.class)
                // The unnamed generator is lazy if there are named generators.
                .withBean(NeedsUnnamed.class)
                .withPropertyValues("snowflake.generators.invoices.type=segment")
                .withPropertyValues("management.endpoints.jmx.exposure.include=snowflake", "spring.jmx.enabled=true")
                .run(test::accept);
    }

    record NeedsUnnamed(IdGenerator ids) {}

    /** Returns the same property of the unnamed generator. */
    private static String ofTheUnnamed(String property) {
        return property.replaceFirst("^snowflake\\.generators\\.[a-z0-9<>]+\\.", "snowflake.")
                .replaceFirst("^snowflake\\.numbers\\..*", "snowflake.numbers");
    }

    private static boolean isPropertyOrGroup(String name, Collection<String> properties) {
        return properties.stream().anyMatch(property -> property.equals(name) || property.startsWith(name + "."));
    }

    @Test
    void namesWithDotsArePropertiesMetersOrBeans() {
        Set<String> known = new HashSet<>(properties());
        known.addAll(meters());
        known.addAll(WRONG);
        String sources = sources();

        named(
                "(?<![\\w./-])snowflake\\.[\\w<][\\w.<>-]*[\\w>]",
                name -> assertThat(ofTheUnnamed(name))
                        .satisfies(unnamed -> assertThat(isPropertyOrGroup(unnamed, known)
                                        || name.matches("snowflake\\.generators\\.[a-z<>]+")
                                        || sources.contains("\"" + unnamed + "\""))
                                .as(name)
                                .isTrue()));
    }

    @Test
    void namesInYamlAreProperties() {
        Set<String> known = properties();

        pages().filter(page -> page.toString().endsWith(".md"))
                .flatMap(page -> find(Page.read(page), "(?s)```yaml\n(.*?)```").stream())
                // YAML tags of ShardingSphere's types are removed.
                .map(block -> block.group(1).replaceAll("!\\w+", ""))
                .forEach(yaml -> new Yaml().loadAll(yaml).forEach(document -> {
                    Set<String> names = new TreeSet<>();
                    flatten("", document, names);
                    assertThat(names)
                            .filteredOn(name -> name.startsWith("snowflake."))
                            .allSatisfy(name -> assertThat(known).contains(ofTheUnnamed(name)));
                }));
    }

    private static void flatten(String prefix, Object value, Set<String> names) {
        if (value instanceof Map<?, ?> map) {
            map.forEach((key, inner) -> flatten(prefix.isEmpty() ? key.toString() : prefix + "." + key, inner, names));
        } else {
            names.add(prefix);
        }
    }

    @Test
    void environmentVariablesAreThoseOfProperties() {
        Set<String> known = properties().stream()
                .map(name -> name.replace("-", "").replace('.', '_').toUpperCase(Locale.ROOT))
                .collect(Collectors.toSet());

        named(
                "\\bSNOWFLAKE_[A-Z_]+",
                name -> assertThat(known).contains(name.replaceFirst("^SNOWFLAKE_GENERATORS_[A-Z]+_", "SNOWFLAKE_")));
    }

    @Test
    void propertiesOfTheActuatorExist() {
        Set<String> known = properties().stream()
                .filter(name -> name.startsWith("management."))
                .collect(Collectors.toSet());
        // Spring Boot has deprecated this property of every endpoint.
        known.remove("management.endpoint.snowflake.enabled");
        Set<String> documented = new TreeSet<>();

        named("\\bmanagement\\.[a-z.-]*snowflake[a-z.-]*", documented::add);

        assertThat(documented).containsExactlyInAnyOrderElementsOf(known);
    }

    @Test
    void namesWithUnderscoresAreMetersOrOfTables() {
        Set<String> meters = meters();
        String sources = sources();

        named(
                "(?<![\\w/])snowflake_[a-z_]+",
                name -> assertThat(sources.contains(name)
                                || meters.stream().anyMatch(meter -> name.startsWith(meter.replace('.', '_'))))
                        .as(name)
                        .isTrue());
    }

    @Test
    void categoriesOfTheLogAreThoseOfTheCode() {
        Set<String> used = new TreeSet<>();
        for (Path source : Page.files(Page.ROOT, ".java")) {
            if (source.toString().contains("/src/main/")
                    && !source.toString().contains("snowflake-sample")
                    && !source.toString().contains("/it/")) {
                String code = Page.read(source);
                find(code, "getLog(?:ger)?\\((\\w+)\\.class\\)")
                        .forEach(log -> used.add(qualified(log.group(1), code)));
            }
        }

        assertThat(cells("category")).containsExactlyInAnyOrderElementsOf(used);
    }

    private static String qualified(String name, String code) {
        List<MatchResult> imported = find(code, "^import (.*\\." + name + ");$");
        return imported.isEmpty()
                ? find(code, "^package (.*);$").get(0).group(1) + "." + name
                : imported.get(0).group(1);
    }

    /** Returns the names in the first column of the table with this heading. */
    private static List<String> cells(String heading) {
        String table = MONITORING.substring(MONITORING.indexOf("\n| " + heading + " |") + 1)
                .split("\n\n", 2)[0];
        return find(table, "^\\| (`.*?) \\|").stream()
                .flatMap(row -> find(row.group(1), "`(.*?)`").stream())
                .map(name -> name.group(1))
                .toList();
    }

    @Test
    void fieldsOfTheEndpointAreThoseOfTheCode() {
        run(context -> {
            SnowflakeEndpoint endpoint = context.getBean(SnowflakeEndpoint.class);
            SnowflakeIdGenerator generator = context.getBean(SnowflakeIdGenerator.class);
            FailingRegistry registry = context.getBean(FailingRegistry.class);
            freeOne(registry);
            Map<String, Object> all = endpoint.generators();
            Map<String, Object> one = endpoint.id(generator.nextId());
            registry.fail(true);
            Map<String, Object> without = endpoint.generators();

            assertThat(section("Endpoint")).contains(quoted(all.keySet())).contains(quoted(one.keySet()));
            Map<String, Object> ofGenerator = JsonPath.read(all, "$.generators.default");
            assertThat(ofGenerator.keySet())
                    .containsAll(GeneratorReport.of(generator, Instant.now())
                            .details()
                            .keySet());
            Set<String> layout = new TreeSet<>();
            keys(ofGenerator.get("layout"), layout);
            assertThat(section("Endpoint")).contains(quoted(layout));

            assertThat(cells("field of a namespace"))
                    .containsExactlyInAnyOrderElementsOf(union(
                            JsonPath.read(all, "$.namespaces[0].keys()"),
                            JsonPath.read(without, "$.namespaces[0].keys()")));
            List<Map<String, Object>> leases = JsonPath.read(all, "$.namespaces[0].leases");
            assertThat(leases).hasSize(2);
            assertThat(cells("field of a lease"))
                    .containsExactlyInAnyOrderElementsOf(
                            union(leases.get(0).keySet(), leases.get(1).keySet()));
            Set<String> fields = new TreeSet<>(Set.of("error", "worker.error"));
            flatten("", JsonPath.read(one, "$.generators.default"), fields);
            flatten("", JsonPath.read(one, "$.generators.invoices"), fields);
            assertThat(cells("field of an id")).containsExactlyInAnyOrderElementsOf(fields);
            registry.fail(false);
        });
    }

    private static void freeOne(WorkerRegistry registry) {
        SnowflakeIdGenerator.builder().lease(LeaseTerms.of(registry)).build().close();
    }

    private static Set<String> union(Collection<String> one, Collection<String> other) {
        Set<String> all = new TreeSet<>(one);
        all.addAll(other);
        return all;
    }

    private static void keys(Object value, Set<String> names) {
        if (value instanceof Map<?, ?> map) {
            map.forEach((key, inner) -> {
                names.add(key.toString());
                keys(inner, names);
            });
        }
    }

    private static List<String> quoted(Collection<String> names) {
        List<String> all = new ArrayList<>();
        names.forEach(name -> all.add("`" + name + "`"));
        return all;
    }

    private static String section(String heading) {
        return MONITORING.substring(MONITORING.indexOf("\n## " + heading + "\n") + 1)
                .split("\n## ", 2)[0];
    }

    @Test
    void infoAndEventsAreNamedAsTheyAre() {
        run(context -> {
            Info.Builder info = new Info.Builder();
            context.getBean(InfoContributor.class).contribute(info);
            Map<String, Object> details = JsonPath.read(info.build().getDetails(), "$.snowflake.default");
            assertThat(section("Info")).contains(quoted(details.keySet()));
        });
        assertThat(section("States of a lease"))
                .contains(quoted(Arrays.stream(SnowflakeLeaseEvent.Kind.values())
                        .map(Enum::name)
                        .toList()));
    }
}
