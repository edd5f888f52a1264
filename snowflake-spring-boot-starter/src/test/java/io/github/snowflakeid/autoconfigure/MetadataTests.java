package io.github.snowflakeid.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import com.jayway.jsonpath.DocumentContext;
import com.jayway.jsonpath.JsonPath;
import io.github.snowflakeid.HostSource;
import io.github.snowflakeid.IdLayout;
import io.github.snowflakeid.text.PublicIds;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.mock.env.MockEnvironment;

/** Checks what an IDE shows while a user edits {@code application.yml}. */
public class MetadataTests {

    /** The properties that Spring Boot binds. */
    private static final String ACTUATOR = "management.";

    private static DocumentContext metadata;

    @BeforeAll
    static void read() throws IOException {
        metadata = JsonPath.parse(json());
    }

    private static String json() throws IOException {
        // Not the first one on the class path, because test classes have metadata as well.
        URL classes =
                SnowflakeProperties.class.getProtectionDomain().getCodeSource().getLocation();
        try (InputStream json = new URL(classes, "META-INF/spring-configuration-metadata.json").openStream()) {
            return new String(json.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** Returns the names of all properties below {@code snowflake}. */
    public static List<String> names() throws IOException {
        List<String> names = JsonPath.parse(json()).read("$.properties[*].name");
        return names.stream()
                .filter(name ->
                        !List.of("snowflake.generators", "snowflake.numbers").contains(name)
                                && !name.startsWith(ACTUATOR))
                .toList();
    }

    /**
     * Returns the names of all properties, including the Actuator's, with their default, which may be empty, and their
     * description. Quoted values become code, and accepted values are added.
     */
    public static Map<String, List<String>> defaultsAndDescriptions() throws IOException {
        DocumentContext json = JsonPath.parse(json());
        List<Map<String, Object>> properties = json.read("$.properties");
        return properties.stream()
                .collect(Collectors.toMap(
                        property -> String.valueOf(property.get("name")),
                        property -> List.of(
                                String.valueOf(property.getOrDefault("defaultValue", "")),
                                String.valueOf(property.get("description"))
                                                .replaceFirst("\\.$", "")
                                                .replaceAll("\"(.+?)\"", "`$1`")
                                        + accepted(json, String.valueOf(property.get("name"))))));
    }

    /** Hints that are no words are examples. */
    private static String accepted(DocumentContext json, String property) {
        List<Object> values = json.read("$.hints[?(@.name == '%s')].values[*].value".formatted(property));
        return values.isEmpty() || !String.valueOf(values.get(0)).matches("[a-z].*")
                ? ""
                : values.stream().map(String::valueOf).collect(Collectors.joining("`, `", ". One of `", "`"));
    }

    /** GeneratedTablesTests compares names, defaults and descriptions with docs/configuration.md. */
    @Test
    void eachNameIsListedOnce() throws Exception {
        assertThat(names()).isNotEmpty().doesNotHaveDuplicates();
    }

    @Test
    void defaultsAreThoseThatAreInForce() {
        List<Map<String, Object>> withDefault = metadata.read("$.properties[?(@.defaultValue)]");
        MockEnvironment defaults = new MockEnvironment();
        for (Map<String, Object> property : withDefault) {
            // The bound has an effect only if the sequence does not start at zero.
            if (!"snowflake.sequence.start-bound".equals(property.get("name"))) {
                defaults.setProperty(
                        String.valueOf(property.get("name")), String.valueOf(property.get("defaultValue")));
            }
        }

        SnowflakeProperties set = bound(defaults);
        SnowflakeProperties unset = bound(new MockEnvironment());

        assertThat(set).usingRecursiveComparison().ignoringFields("layout").isEqualTo(unset);
        assertThat(IdLayout.presets()).containsEntry(set.layout(), IdLayout.DEFAULT);
    }

    @Test
    void defaultsOfStoresAreThoseThatAreInForce() throws Exception {
        List<Map<String, Object>> stores = metadata.read(
                "$.groups[?(@.name =~ /snowflake.(worker.[a-z]*|segment.[a-z]*)/ && @.type =~ /.*[a-z]Properties/)]");
        assertThat(stores).isNotEmpty();
        for (Map<String, Object> store : stores) {
            String name = String.valueOf(store.get("name"));
            Class<?> type = Class.forName(String.valueOf(store.get("type")));
            MockEnvironment defaults = new MockEnvironment();
            List<Map<String, Object>> withDefault = metadata.read("$.properties[?(@.defaultValue)]");
            withDefault.forEach(property -> defaults.setProperty(
                    String.valueOf(property.get("name")), String.valueOf(property.get("defaultValue"))));

            Object set = Binder.get(defaults).bindOrCreate(name, type);

            assertThat(set)
                    .usingRecursiveComparison()
                    .isEqualTo(Binder.get(new MockEnvironment()).bindOrCreate(name, type));
        }
    }

    private static SnowflakeProperties bound(MockEnvironment environment) {
        return Binder.get(environment).bindOrCreate("snowflake", SnowflakeProperties.class);
    }

    @Test
    void everyPropertyHasATypeAndADescriptionOfWholeSentences() {
        assertThat(properties("type")).hasSameSizeAs(properties("name"));
        assertThat(properties("description"))
                .hasSameSizeAs(properties("name"))
                .doesNotHaveDuplicates()
                .allSatisfy(description -> assertThat(description).matches("(?s)[A-Z].*\\."));
    }

    @Test
    void hintsNameTheAcceptedValues() {
        assertThat(hints("snowflake.layout"))
                .containsExactlyElementsOf(IdLayout.presets().keySet());
        assertThat(hints("snowflake.worker.jdbc.initialize-schema")).containsExactly("embedded", "always", "never");
        assertThat(hints("snowflake.worker.strategy"))
                .containsExactly("fixed", "host", "jdbc", "redis", "zookeeper", "etcd", "consul", "kubernetes", "file");
        assertThat(hints("snowflake.segment.store")).containsExactly("jdbc", "redis");
        assertThat(hints("snowflake.type")).containsExactly("snowflake", "segment");
        assertThat(hints("snowflake.segment.jdbc.initialize-schema")).containsExactly("embedded", "always", "never");
        assertThat(hints("snowflake.worker.host.source")).isEqualTo(names(HostSource.values()));
        assertThat(hints("snowflake.sequence.start")).isEqualTo(names(SnowflakeProperties.Start.values()));
        assertThat(hints("snowflake.public-ids.format")).isEqualTo(names(PublicIds.Format.values()));
    }

    private static List<String> properties(String attribute) {
        return metadata.read("$.properties[*]." + attribute);
    }

    private static List<String> hints(String property) {
        return metadata.read("$.hints[?(@.name == '%s')].values[*].value".formatted(property));
    }

    private static List<String> names(Enum<?>[] values) {
        Function<Enum<?>, String> name = value -> value.name().toLowerCase(Locale.ROOT);
        return Arrays.stream(values).map(name).toList();
    }
}
