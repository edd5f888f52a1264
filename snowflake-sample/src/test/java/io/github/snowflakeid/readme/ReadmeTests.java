package io.github.snowflakeid.readme;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.snowflakeid.IdFields;
import io.github.snowflakeid.IdGenerator;
import io.github.snowflakeid.IdLayout;
import io.github.snowflakeid.IdRange;
import io.github.snowflakeid.SnowflakeIdGenerator;
import io.github.snowflakeid.WorkerIdAssigner;
import jakarta.persistence.EntityManager;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;
import tools.jackson.databind.json.JsonMapper;

/** Checks the README and getting-started pages. {@code .ci/run} runs the commands of the README. */
@ExtendWith(OutputCaptureExtension.class)
class ReadmeTests {

    private static final Path ROOT = Path.of("").toAbsolutePath().getParent();
    private static final String README = read(ROOT.resolve("README.md"));

    @Test
    void readmeIsShort() {
        assertThat(README.lines()).hasSizeLessThanOrEqualTo(250);
    }

    @Test
    void idOfTheFirstScreenHasTheFieldsShown() {
        IdFields fields = new IdFields(Instant.parse("2026-11-21T09:30:00.321Z"), 3, 7, 42);

        assertThat(README)
                .contains("| %s | %s | %s | %s | %s |"
                        .formatted(
                                IdLayout.DEFAULT.encode(fields),
                                fields.timestamp(),
                                fields.datacenterId(),
                                fields.workerId(),
                                fields.sequence()));
    }

    @Test
    void pictureShowsTheBitsOfThatId() {
        long id = IdLayout.DEFAULT.encode(new IdFields(Instant.parse("2026-11-21T09:30:00.321Z"), 3, 7, 42));

        String bits = find(page("images/id-layout.svg"), "class=\"bits\"[^>]*>([01]+)<").stream()
                .map(field -> field.group(1))
                .collect(Collectors.joining());
        assertThat(bits).hasSize(64);
        assertThat(Long.parseUnsignedLong(bits, 2)).isEqualTo(id);
        assertThat(page("images/id-layout.svg")).contains(">" + id + "<");
    }

    @Test
    void dependenciesNameArtifactsOfThisBuild() {
        String version = first(read(ROOT.resolve("pom.xml")), "<version>(.*?)</version>");

        assertThat(blocks(README, "xml")).singleElement().satisfies(xml -> {
            Path module = ROOT.resolve(first(xml, "<artifactId>(.*?)</artifactId>"));
            assertThat(module.resolve("pom.xml")).exists();
            assertThat(first(xml, "<groupId>(.*?)</groupId>")).isEqualTo("io.github.snowflakeid");
            assertThat(first(xml, "<version>(.*?)</version>")).isEqualTo(version);
        });
        assertThat(Stream.of(README, page("getting-started.md"))
                        .flatMap(page -> Stream.of("kotlin", "groovy").flatMap(language -> blocks(page, language)))
                        .flatMap(block -> find(block, "io\\.github\\.snowflakeid:[^\"')]*").stream())
                        .map(MatchResult::group))
                .isNotEmpty()
                .containsOnly("io.github.snowflakeid:snowflake-spring-boot-starter:" + version);
    }

    @ParameterizedTest
    @MethodSource
    void everyBlockOfYamlStartsAnApplicationThatGeneratesIds(String yaml) {
        try (ConfigurableApplicationContext context = start(yaml)) {
            assertThat(context.getBean(Tickets.class).next()).isPositive();
            assertThat(context.getBean(Tickets.class).next(5)).isSorted().hasSize(5);
        }
    }

    static List<String> everyBlockOfYamlStartsAnApplicationThatGeneratesIds() {
        return blocks(README, "yaml").toList();
    }

    @Test
    void workerIdsAreThoseOfTheBlockAboutThem() {
        try (ConfigurableApplicationContext context = start(yaml("worker-ids.md", "datacenter:"))) {
            IdFields fields =
                    IdLayout.DEFAULT.decode(context.getBean(IdGenerator.class).nextId());

            assertThat(fields.datacenterId()).isEqualTo(3);
            assertThat(fields.workerId()).isEqualTo(7);
        }
    }

    @Test
    void beanOfTheApplicationDecidesTheWorkerId() {
        try (ConfigurableApplicationContext context = start("spring.profiles.active: own-worker-ids")) {
            assertThat(context.getBean(SnowflakeIdGenerator.class).workerId().workerId())
                    .isEqualTo(12);
        }
    }

    @Test
    void workerIdsAreLeasedAsTheLogShownSays(CapturedOutput output) {
        try (ConfigurableApplicationContext context =
                start(blocks(README, "yaml").toList().get(0))) {
            assertThat(context.getBean(SnowflakeIdGenerator.class).lease()).isPresent();
            assertThat(blocks(README, "text"))
                    .singleElement()
                    .satisfies(line -> assertThat(output).contains(line.strip()));
        }
    }

    @Test
    void ofSeveralDatabasesTheMarkedOneHasTheTable() {
        try (ConfigurableApplicationContext context =
                start("spring.profiles.active: several-databases\nshop.shared-database.jdbc-url: jdbc:h2:mem:shared")) {
            assertThat(new JdbcTemplate(context.getBean("sharedDatabase", DataSource.class))
                            .queryForList("select owner from snowflake_worker", String.class))
                    .hasSize(1);
        }
    }

    @Test
    void entitiesGetIdsAndTicketsAreStringsInJson() {
        try (ConfigurableApplicationContext context = start("snowflake.worker.id: 7")) {
            EntityManager entities = context.getBean(EntityManager.class);
            Invoice invoice = new Invoice();
            Receipt receipt = new Receipt();
            CreditNote note = new CreditNote();
            new TransactionTemplate(context.getBean(PlatformTransactionManager.class)).executeWithoutResult(status -> {
                entities.persist(invoice);
                entities.persist(receipt);
                entities.persist(note);
            });

            assertThat(invoice.id).isPositive();
            assertThat(receipt.id).isGreaterThan(invoice.id);
            assertThat(note.id.value()).isGreaterThan(receipt.id);
            assertThat(new JsonMapper().writeValueAsString(new Ticket(invoice.id, "12A")))
                    .isEqualTo("{\"id\":\"" + invoice.id + "\",\"seat\":\"12A\"}");
        }
    }

    @Test
    void coreGeneratesAndDecodesIdsWithoutSpring() {
        SnowflakeIdGenerator generator = SnowflakeIdGenerator.builder()
                .worker(WorkerIdAssigner.fixed(3, 7))
                .build();
        long id = generator.nextId();
        IdFields fields = generator.layout().decode(id);

        assertThat(fields.datacenterId()).isEqualTo(3);
        assertThat(fields.workerId()).isEqualTo(7);
        assertThat(fields.timestamp()).isBeforeOrEqualTo(Instant.now());
        generator.close();
    }

    @Test
    void rangeContainsTheIdsOfAMonth() {
        IdRange march =
                IdLayout.DEFAULT.range(Instant.parse("2026-03-01T00:00:00Z"), Instant.parse("2026-04-01T00:00:00Z"));

        assertThat(IdLayout.DEFAULT.timestamp(march.first())).isEqualTo("2026-03-01T00:00:00Z");
        assertThat(IdLayout.DEFAULT.timestamp(march.last())).isEqualTo("2026-03-31T23:59:59.999Z");
    }

    private static String yaml(String page, String part) {
        return blocks(page(page), "yaml")
                .filter(block -> block.contains(part))
                .findFirst()
                .orElseThrow();
    }

    private static ConfigurableApplicationContext start(String yaml) {
        try {
            Path file = Files.writeString(Files.createTempFile("readme", ".yml"), yaml);
            try {
                return new SpringApplicationBuilder(ReadmeApplication.class)
                        .web(WebApplicationType.NONE)
                        .run(
                                "--spring.config.location=file:" + file,
                                "--spring.jpa.hibernate.ddl-auto=create",
                                "--spring.datasource.generate-unique-name=true");
            } finally {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Stream<String> blocks(String page, String language) {
        return find(page, "(?s)```" + language + "\n(.*?)```").stream().map(block -> block.group(1));
    }

    private static String page(String name) {
        return read(ROOT.resolve("docs").resolve(name));
    }

    private static List<MatchResult> find(String text, String pattern) {
        return Pattern.compile(pattern).matcher(text).results().toList();
    }

    private static String first(String text, String pattern) {
        return find(text, pattern).get(0).group(1);
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
