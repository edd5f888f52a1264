package io.github.snowflakeid.pages;

import io.github.snowflakeid.GeneratorStatistics.Refusal;
import io.github.snowflakeid.IdLayout;
import io.github.snowflakeid.autoconfigure.MetadataTests;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import java.io.IOException;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The tables that are written from the code. The log's tests check the tables of log lines. */
class GeneratedTablesTests {

    @Test
    void properties() throws IOException {
        Map<String, List<String>> known = new TreeMap<>(MetadataTests.defaultsAndDescriptions());
        // Spring Boot has deprecated this one for every endpoint.
        known.remove("management.endpoint.snowflake.enabled");
        for (String name : List.of("essential", "frequent")) {
            GeneratedTable table = GeneratedTable.of("configuration.md", name + " properties");
            Map<String, List<String>> ofTable = new TreeMap<>(known);
            ofTable.keySet().retainAll(table.keys());
            table.check(ofTable);
            known.keySet().removeAll(table.keys());
        }
        GeneratedTable.of("configuration.md", "rare properties").check(known);
    }

    @Test
    void meters() {
        Predicate<String> ofSegments = name -> name.startsWith("snowflake.segment.");
        Predicate<String> ofSeries = name -> name.startsWith("snowflake.numbers.");
        GeneratedTable.of("monitoring.md", "meters")
                .check(meters(ofSegments.or(ofSeries).negate()));
        GeneratedTable.of("monitoring.md", "meters of sequential numbers").check(meters(ofSegments));
        GeneratedTable.of("monitoring.md", "meters of document numbers").check(meters(ofSeries));
    }

    /** Returns type, unit and description of each meter, with the values of the tags that not every meter has. */
    private static Map<String, List<String>> meters(Predicate<String> names) {
        Map<String, List<Meter>> variants = MonitoringPageTests.meters().stream()
                .filter(meter -> names.test(meter.getId().getName()))
                .collect(Collectors.groupingBy(meter -> meter.getId().getName()));
        Map<String, List<String>> rows = new TreeMap<>();
        variants.forEach((name, meters) -> rows.put(name, List.of(type(meters.get(0)), meaning(meters))));
        return rows;
    }

    private static String type(Meter meter) {
        return (meter.getId().getType() == Meter.Type.COUNTER ? "counter" : "gauge")
                + ("seconds".equals(meter.getId().getBaseUnit()) ? ", s" : "");
    }

    private static String meaning(List<Meter> variants) {
        Map<String, Set<String>> tags = variants.stream()
                .flatMap(meter -> meter.getId().getTags().stream())
                .filter(tag ->
                        !Set.of("generator", "strategy", "store", "series").contains(tag.getKey()))
                .collect(Collectors.groupingBy(
                        Tag::getKey, Collectors.mapping(Tag::getValue, Collectors.toCollection(TreeSet::new))));
        return variants.get(0).getId().getDescription()
                + tags.entrySet().stream()
                        .map(tag -> ", by `%s`: `%s`".formatted(tag.getKey(), String.join("`, `", tag.getValue())))
                        .collect(Collectors.joining());
    }

    @Test
    void reasons() {
        GeneratedTable.of("monitoring.md", "reasons")
                .check(Arrays.stream(Refusal.values())
                        .map(reason -> reason.name().toLowerCase(Locale.ROOT).replace('_', '-'))
                        .toList());
    }

    @Test
    void presets() {
        Map<String, List<String>> rows = new TreeMap<>();
        IdLayout.presets().forEach((name, layout) -> rows.put(name, preset(layout)));
        GeneratedTable.of("layouts.md", "presets").check(rows);
    }

    private static List<String> preset(IdLayout layout) {
        return List.of(
                "%s+%s+%s+%s"
                        .formatted(
                                layout.timestampBits(),
                                layout.datacenterBits(),
                                layout.workerBits(),
                                layout.sequenceBits()),
                layout.tick().toMillis() == 1 ? "1 ms" : layout.tick().toSeconds() + " s",
                layout.epoch().toString(),
                String.valueOf(layout.capacityPerSecond()),
                LocalDate.ofInstant(layout.end(), ZoneOffset.UTC).toString());
    }
}
