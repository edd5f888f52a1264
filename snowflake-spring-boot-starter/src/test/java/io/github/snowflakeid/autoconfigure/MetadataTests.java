package io.github.snowflakeid.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import com.jayway.jsonpath.DocumentContext;
import com.jayway.jsonpath.JsonPath;
import io.github.snowflakeid.IdLayout;
import io.github.snowflakeid.worker.HostSource;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What an IDE shows to whoever writes {@code application.yml}. */
class MetadataTests {

    private static DocumentContext metadata;

    @BeforeAll
    static void read() throws IOException {
        try (InputStream json =
                SnowflakeProperties.class.getResourceAsStream("/META-INF/spring-configuration-metadata.json")) {
            metadata = JsonPath.parse(json);
        }
    }

    @Test
    void everyPropertyIsThereOnceWithItsDefault() {
        assertThat(properties("name"))
                .containsExactlyInAnyOrder(
                        "snowflake.enabled",
                        "snowflake.layout",
                        "snowflake.epoch",
                        "snowflake.tick",
                        "snowflake.bits.timestamp",
                        "snowflake.bits.datacenter",
                        "snowflake.bits.worker",
                        "snowflake.bits.sequence",
                        "snowflake.worker.strategy",
                        "snowflake.worker.id",
                        "snowflake.worker.host.source",
                        "snowflake.worker.jdbc.table-name",
                        "snowflake.worker.lease.namespace",
                        "snowflake.worker.lease.ttl",
                        "snowflake.worker.lease.acquire-timeout",
                        "snowflake.worker.lease.max-clock-skew",
                        "snowflake.worker.jdbc.initialize-schema",
                        "snowflake.worker.jdbc.url",
                        "snowflake.worker.jdbc.username",
                        "snowflake.worker.jdbc.password",
                        "snowflake.worker.jdbc.driver-class-name",
                        "snowflake.datacenter.id",
                        "snowflake.clock.max-drift",
                        "snowflake.clock.max-wait",
                        "snowflake.sequence.start",
                        "snowflake.sequence.bound");
        List<Map<String, Object>> withDefault = metadata.read("$.properties[?(@.defaultValue)]");
        assertThat(withDefault.stream()
                        .collect(Collectors.toMap(
                                property -> property.get("name"), property -> property.get("defaultValue"))))
                .isEqualTo(Map.ofEntries(
                        Map.entry("snowflake.enabled", true),
                        Map.entry("snowflake.layout", "default"),
                        Map.entry("snowflake.worker.host.source", "auto"),
                        Map.entry("snowflake.worker.jdbc.table-name", "snowflake_worker"),
                        Map.entry("snowflake.worker.lease.namespace", "default"),
                        Map.entry("snowflake.worker.lease.ttl", "60s"),
                        Map.entry("snowflake.worker.lease.acquire-timeout", "10s"),
                        Map.entry("snowflake.worker.lease.max-clock-skew", "10s"),
                        Map.entry("snowflake.worker.jdbc.initialize-schema", "embedded"),
                        Map.entry("snowflake.clock.max-wait", "1s"),
                        Map.entry("snowflake.sequence.start", "zero"),
                        Map.entry("snowflake.sequence.bound", 64)));
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
    void hintsNameWhatIsAccepted() {
        assertThat(hints("snowflake.layout"))
                .containsExactlyElementsOf(IdLayout.presets().keySet());
        assertThat(hints("snowflake.worker.strategy")).isEqualTo(names(SnowflakeProperties.Strategy.values()));
        assertThat(hints("snowflake.worker.jdbc.initialize-schema"))
                .isEqualTo(names(SnowflakeProperties.InitializeSchema.values()));
        assertThat(hints("snowflake.worker.host.source")).isEqualTo(names(HostSource.values()));
        assertThat(hints("snowflake.sequence.start")).isEqualTo(names(SnowflakeProperties.Start.values()));
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
