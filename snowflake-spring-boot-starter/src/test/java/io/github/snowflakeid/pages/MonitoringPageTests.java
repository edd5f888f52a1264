package io.github.snowflakeid.pages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.github.snowflakeid.LeaseTerms;
import io.github.snowflakeid.SnowflakeIdGenerator;
import io.github.snowflakeid.WorkerIdAssigner;
import io.github.snowflakeid.WorkerLease;
import io.github.snowflakeid.WorkerLease.State;
import io.github.snowflakeid.actuate.FailingRegistry;
import io.github.snowflakeid.actuate.TestGenerators;
import io.github.snowflakeid.event.SnowflakeLeaseEvent.Kind;
import io.github.snowflakeid.internal.actuate.GeneratorReport;
import io.github.snowflakeid.internal.log.LeaseLog;
import io.github.snowflakeid.jdbc.InitializeSchema;
import io.github.snowflakeid.jdbc.JdbcWorkerRegistry;
import io.github.snowflakeid.micrometer.TestMeters;
import io.github.snowflakeid.numbers.TestSeries;
import io.github.snowflakeid.segment.InMemorySegmentStore;
import io.github.snowflakeid.segment.SegmentIdGenerator;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;
import org.yaml.snakeyaml.Yaml;

/**
 * Compares docs/monitoring.md, docs/runbook.md, the alert rules and the dashboard with the code, in both directions.
 */
class MonitoringPageTests {

    private static final Page MONITORING = Page.of("monitoring.md");
    private static final Page RUNBOOK = Page.of("runbook.md");
    private static final Path RULES = Page.DOCS.resolve("prometheus-alerts.yml");

    static List<Meter> meters() {
        SimpleMeterRegistry meters = new SimpleMeterRegistry();
        try (SnowflakeIdGenerator leased = leased();
                SnowflakeIdGenerator fixed = SnowflakeIdGenerator.builder()
                        .name("fixed")
                        .worker(WorkerIdAssigner.fixed(0, 9))
                        .build();
                SegmentIdGenerator segments = segments(new InMemorySegmentStore())) {
            TestMeters.of(TestGenerators.of(Map.of("leased", leased, "fixed", fixed, "segments", segments)))
                    .bindTo(meters);
            TestMeters.of(Map.of("invoice", TestSeries.failing())).bindTo(meters);
            for (Meter meter : meters.getMeters()) {
                assertThat(meter.getId().getDescription()).matches("[A-Z].*[^.]");
                String name = meter.getId().getName();
                assertThat(meter.getId().getTags())
                        .extracting(Tag::getKey)
                        .contains(
                                name.startsWith("snowflake.numbers.")
                                        ? new String[] {"series"}
                                        : new String[] {
                                            "generator", name.startsWith("snowflake.segment.") ? "store" : "strategy"
                                        });
            }
            return meters.getMeters();
        }
    }

    private static SnowflakeIdGenerator leased() {
        return SnowflakeIdGenerator.builder()
                .lease(LeaseTerms.of(new FailingRegistry()))
                .build();
    }

    private static SegmentIdGenerator segments(InMemorySegmentStore store) {
        return SegmentIdGenerator.builder()
                .name("invoices")
                .store(store)
                .maxWait(Duration.ZERO)
                .minStep(1)
                .maxStep(1)
                .build();
    }

    private static String inPrometheus(Meter meter) {
        String unit = meter.getId().getBaseUnit();
        return meter.getId().getName().replace('.', '_')
                + (unit == null ? "" : "_" + unit)
                + (meter.getId().getType() == Meter.Type.COUNTER ? "_total" : "");
    }

    private static Set<String> namesInPrometheus() {
        return meters().stream().map(MonitoringPageTests::inPrometheus).collect(Collectors.toSet());
    }

    private static List<MatchResult> find(Path file, String pattern) throws IOException {
        return Pattern.compile(pattern, Pattern.MULTILINE)
                .matcher(Files.readString(file))
                .results()
                .toList();
    }

    @Test
    void dashboardAndRulesQueryExistingMetersAndTheDashboardQueriesAll() throws IOException {
        Set<String> shown = find(Page.DOCS.resolve("grafana-dashboard.json"), "snowflake_[a-z_]+").stream()
                .map(MatchResult::group)
                .collect(Collectors.toSet());
        Set<String> watched = find(RULES, "snowflake_[a-z_]+").stream()
                .map(MatchResult::group)
                .collect(Collectors.toSet());

        assertThat(shown).isEqualTo(namesInPrometheus());
        assertThat(watched).isNotEmpty().isSubsetOf(namesInPrometheus());
        new Yaml().load(Files.readString(Page.DOCS.resolve("grafana-dashboard.json")));
    }

    @Test
    void everyAlertIsExplainedWhereTheRuleLeads() throws IOException {
        List<String> alerts =
                find(RULES, "alert: (.*)$").stream().map(row -> row.group(1)).toList();
        String page = "https://github.com/snowflakeid/snowflake/blob/main/docs/runbook.md#";

        assertThat(RUNBOOK.section("Alerts")
                        .text()
                        .lines()
                        .filter(line -> line.startsWith("### "))
                        .map(line -> line.substring(4)))
                .containsExactlyElementsOf(alerts);
        assertThat(find(RULES, "runbook_url: \"(.*)\"$").stream().map(link -> link.group(1)))
                .containsExactlyElementsOf(alerts.stream()
                        .map(alert -> page + alert.toLowerCase(Locale.ROOT))
                        .toList());
    }

    @Test
    void everyAlertNamesTheCheckTheActionAndTheReason() throws IOException {
        assertThat(find(RULES, "alert: (.*)$").stream().map(row -> row.group(1)))
                .allSatisfy(alert -> assertThat(RUNBOOK.section(alert).text())
                        .containsSubsequence("**Check** ", "**Do", "**Why:** "));
    }

    @Test
    void sqlOfTheRunbookShowsTheOwners() throws IOException {
        JdbcDataSource database = new JdbcDataSource();
        database.setURL("jdbc:h2:mem:runbook;DB_CLOSE_DELAY=-1");
        LeaseTerms terms = LeaseTerms.of(new JdbcWorkerRegistry(database, JdbcWorkerRegistry.DEFAULT_TABLE, "shop")
                .initializeSchema(InitializeSchema.ALWAYS));
        try (SnowflakeIdGenerator leased =
                SnowflakeIdGenerator.builder().lease(terms).build()) {
            String sql = SqlScript.statements(RUNBOOK.blocks("sql").get(0)).get(0);

            assertThat(new JdbcTemplate(database).queryForList(sql))
                    .singleElement()
                    .satisfies(row -> assertThat(row.get("worker_id"))
                            .isEqualTo(leased.workerId().workerId()));
        }
    }

    /** ActuatorTests starts that application with all versions of Spring Boot. */
    @Test
    void readinessIsConfiguredAsInTheApplicationThatIsTested() throws IOException {
        String documented = MONITORING.section("Probes").blocks("yaml").get(0);
        String tested = Files.readString(Path.of("src/it/actuator/src/main/resources/application.yml"));

        assertThat(health(documented)).containsOnlyKeys("probes", "group");
        assertThat(health(tested)).containsAllEntriesOf(health(documented));
    }

    private static Map<String, Object> health(String yaml) {
        Map<String, Map<String, Map<String, Map<String, Object>>>> properties = new Yaml().load(yaml);
        return properties.get("management").get("endpoint").get("health");
    }

    @Test
    void tableOfHealthDetailsIsThatOfTheCode() throws IOException {
        Set<String> details = new TreeSet<>();
        try (SnowflakeIdGenerator leased = leased()) {
            add("", GeneratorReport.of(leased, Instant.now()).details(), details);
            // Those of trouble.
            details.add("lease.reason");
            add("", GeneratorReport.of(leased, leased.layout().end()).details(), details);
        }

        add("", GeneratorReport.of(TestSeries.failing()).details(), details);
        InMemorySegmentStore store = new InMemorySegmentStore();
        try (SegmentIdGenerator segments = segments(store)) {
            store.failWith(new IllegalStateException("away"));
            while (segments.tryNextId().isPresent() || segments.unavailability().isEmpty()) {
                Thread.onSpinWait();
            }
            add("", GeneratorReport.of(segments, Instant.EPOCH).details(), details);
        }

        assertThat(MONITORING.section("Health").rows().stream()
                        .map(row -> row.get(0).replace("`", ""))
                        .filter(cell ->
                                cell.matches("[a-zA-Z., ]+") && !cell.equals("status") && !cell.equals("detail"))
                        .flatMap(cell -> Stream.of(cell.split(", ")))
                        .filter(name -> !Set.of("UP", "DOWN").contains(name)))
                .containsExactlyInAnyOrderElementsOf(details);
    }

    private static void add(String prefix, Map<?, ?> details, Set<String> names) {
        details.forEach((name, value) -> {
            if (value instanceof Map<?, ?> more) {
                add(prefix + name + ".", more, names);
            } else {
                names.add(prefix + name);
            }
        });
    }

    @Test
    void everyStateOfALeaseHasARowWithItsEvent() throws IOException {
        Instant now = Instant.now();
        List<List<String>> rows = MONITORING.section("States of a lease").rows();
        for (State state : State.values()) {
            List<Kind> kinds = new ArrayList<>();
            LeaseLog log = new LeaseLog("", "", () -> now, System::nanoTime, event -> kinds.add(event.kind()));
            log.accept(WorkerLease.of(State.HELD, 0, 7, now, now, now));
            if (state != State.HELD) {
                kinds.clear();
                log.accept(WorkerLease.of(state, 0, 7, now, now, now));
            }
            String name = "`" + state.name().toLowerCase(Locale.ROOT) + "`";
            assertThat(rows).anySatisfy(row -> {
                assertThat(row.get(0)).startsWith(name);
                assertThat(row.get(5)).startsWith(kinds.isEmpty() ? "" : "`" + kinds.get(0) + "`");
                assertThat(row.get(5).isEmpty()).isEqualTo(kinds.isEmpty());
            });
        }
    }

    @Test
    void rulesAreRulesOfPrometheus() throws Exception {
        promtool("check", "rules", RULES.toString());
    }

    @Test
    void rulesFireWhenTheySay() throws Exception {
        promtool("test", "rules", "src/test/resources/prometheus-alerts-tests.yml");
    }

    private static void promtool(String... arguments) throws Exception {
        boolean isThere = Stream.of(System.getenv("PATH").split(File.pathSeparator))
                .anyMatch(directory -> Files.isExecutable(Path.of(directory, "promtool")));
        assumeThat(isThere)
                .as("promtool is on the path; it is in Debian's package 'prometheus'")
                .isTrue();
        Process promtool = new ProcessBuilder(Stream.concat(Stream.of("promtool"), Arrays.stream(arguments))
                        .toList())
                .redirectErrorStream(true)
                .start();
        String output = new String(promtool.getInputStream().readAllBytes());

        assertThat(promtool.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(promtool.exitValue()).as(output).isZero();
    }
}
