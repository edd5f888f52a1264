package io.github.snowflakeid.pages;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.github.snowflakeid.IdFields;
import io.github.snowflakeid.IdLayout;
import io.github.snowflakeid.SnowflakeIdGenerator;
import io.github.snowflakeid.autoconfigure.SnowflakeAutoConfiguration;
import io.github.snowflakeid.jdbc.Databases;
import io.github.snowflakeid.jdbc.SnowflakeJdbcAutoConfiguration;
import io.github.snowflakeid.text.IdFormat;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.env.PropertySource;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * The layouts of docs/from-other-libraries.md decode IDs of these libraries, and its ways to roll keep new IDs apart
 * from old ones.
 */
class OtherLibrariesPageTests {

    private static final Page PAGE = Page.of("from-other-libraries.md");

    /** IDs that the libraries generated, or that their documentation shows; the others follow the published formula. */
    @ParameterizedTest
    @CsvSource({
        "MyBatis-Plus and Hutool, 1, 1785223470585921538, 2024-04-30T08:23:37.892Z, 27, 12,   2",
        "MyBatis-Plus and Hutool, 1, 1278735254782615552, 2020-07-02T17:00:17.149Z, 11, 2,    0",
        "Leaf,                    1, 1785223470585921538, 2024-04-30T08:23:37.892Z, 0,  876,  2",
        "ShardingSphere,          1, 725026630224842752,  2022-04-24T16:36:58.989Z, 0,  1,    0",
        "ShardingSphere,          2, 725026630224842752,  2022-04-24T08:36:58.989Z, 0,  1,    0",
        "yitter,                  1, 129053495681099,     2021-02-18T10:20:03.094Z, 0,  1,    11",
        "TSID,                    1, 388400145978465528,  2022-12-07T18:43:30.927Z, 0,  25,   3320",
    })
    void layoutDecodesAnIdOfTheLibrary(
            String section, int block, long id, Instant time, int datacenterId, int workerId, int sequence) {
        generator(
                section,
                block,
                generator -> assertThat(generator.layout().decode(id))
                        .isEqualTo(new IdFields(time, datacenterId, workerId, sequence)));
    }

    /**
     * The formulas of the libraries' source: epoch in Unix milliseconds, tick, shift of the timestamp, shift of the
     * worker.
     */
    @ParameterizedTest
    @CsvSource({
        "Leaf,           1, 1288834974657, 1,    22, 12",
        "ShardingSphere, 1, 1477958400000, 1,    22, 12",
        "ShardingSphere, 2, 1477929600000, 1,    22, 12",
        "uid-generator,  1, 1474300800000, 1000, 34, 13",
        "CosId,          1, 1577203200000, 1,    22, 12",
        "yitter,         1, 1582136402000, 1,    12, 6",
        "TSID,           1, 1577836800000, 1,    22, 12",
    })
    void newIdsContinueTheFormulaOfTheLibrary(
            String section, int block, long epoch, long tick, int timestampShift, int workerShift) {
        generator(section, block, generator -> {
            Instant time = Instant.parse("2026-11-25T12:00:00Z");
            IdLayout layout = generator.layout();
            int workerId = 1 << (timestampShift - workerShift - 1);
            long old = (time.toEpochMilli() - epoch) / tick << timestampShift | (long) workerId << workerShift | 7;
            IdFields fields = layout.decode(old);

            assertThat(fields.timestamp()).isEqualTo(time);
            assertThat((long) fields.datacenterId() << layout.workerBits() | fields.workerId())
                    .isEqualTo(workerId);
            assertThat(fields.sequence()).isEqualTo(7);
            assertThat(generator.nextId())
                    .as("an ID of today has the present time")
                    .isGreaterThan((Instant.now().toEpochMilli() - 60_000 - epoch) / tick << timestampShift);
        });
    }

    /** The highest block of worker IDs, as numbers of the old library. */
    @ParameterizedTest
    @CsvSource({
        "Roll with a datacenter ID, 1, 992,     1023,    12",
        "ShardingSphere,            2, 992,     1023,    12",
        "uid-generator,             1, 2093056, 2097151, 13",
        "uid-generator,             2, 4190208, 4194303, 13",
        "CosId,                     1, 992,     1023,    12",
        "yitter,                    1, 48,      63,      6",
    })
    void datacenterIdReservesTheHighestWorkerIds(String section, int block, long first, long last, int sequenceBits) {
        generator(section, block, generator -> {
            IdLayout layout = generator.layout();
            long workers = (1L << (layout.datacenterBits() + layout.workerBits())) - 1;

            assertThat(generator.nextId() >> sequenceBits & workers).isBetween(first, last);
            assertThat(workers).isEqualTo(last);
        });
    }

    /** The IDs of libraries that spread rows over {@code id % n} at a low rate. */
    @ParameterizedTest
    @ValueSource(strings = {"MyBatis-Plus and Hutool", "Leaf", "ShardingSphere", "CosId", "TSID", "Seata"})
    void newIdsAreSpreadOverShardsAsBefore(String section) {
        generator(section, 1, generator -> {
            Set<Long> shards = new HashSet<>();
            for (int i = 0; i < 4; i++) {
                long id = generator.nextId();
                shards.add(id % 2);
                while (System.currentTimeMillis()
                        == generator.layout().decode(id).timestamp().toEpochMilli()) {
                    Thread.onSpinWait();
                }
            }

            assertThat(shards).hasSize(2);
        });
    }

    @Test
    void restartedEpochOfUidGeneratorBeginsWhereTheDefaultLayoutEnds() {
        generator("uid-generator", 2, generator -> {
            assertThat(generator.layout().epoch()).isEqualTo(IdLayout.BAIDU.end());
            assertThat(generator.layout().sequenceBits()).isEqualTo(IdLayout.BAIDU.sequenceBits());
            assertThat(generator.nextId()).isLessThan(IdLayout.BAIDU.firstId(Instant.parse("2024-01-01T00:00:00Z")));
        });
    }

    @Test
    void idsAreBelowThoseOfSeataOrAYearAheadOfWorkerZero() {
        generator("Seata", 1, generator -> {
            long timeAndSequence = (Instant.now().plusSeconds(364 * 86_400L).toEpochMilli() - 1588435200000L) << 12;
            long worker1 = 1L << 53;

            assertThat(generator.nextId()).isLessThan(worker1).isGreaterThan(timeAndSequence);
            assertThat(generator.layout().firstId(generator.layout().end().minusMillis(1)))
                    .isLessThan(worker1);
        });
    }

    @Test
    void textOfATsidIsCrockfordBase32() {
        assertThat(IdFormat.CROCKFORD.parse("0ARYZVZXW377R")).isEqualTo(388400145978465528L);
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    @Tag("servers")
    void queryListsTheWorkerIdsOfTheLastDay(Databases database) {
        String query = SqlScript.statements(PAGE.blocks("sql").get(0)).get(0);
        try (HikariDataSource pool = database.open()) {
            JdbcTemplate jdbc = new JdbcTemplate(pool);
            jdbc.execute("DROP TABLE IF EXISTS purchase");
            jdbc.execute("CREATE TABLE purchase (id BIGINT NOT NULL PRIMARY KEY)");
            Instant now = Instant.now();
            insert(jdbc, new IdFields(now, 27, 12, 0), new IdFields(now, 27, 12, 1));
            insert(
                    jdbc,
                    new IdFields(now.minusSeconds(86_000), 3, 7, 0),
                    new IdFields(now.minusSeconds(87_000), 1, 1, 0));

            List<String> rows = jdbc.query(
                    query, (row, number) -> "%s %s %s".formatted(row.getInt(1), row.getInt(2), row.getInt(3)));

            assertThat(rows).containsExactlyInAnyOrder("27 12 2", "3 7 1");
            jdbc.execute("DROP TABLE purchase");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    @Tag("servers")
    void queryOfTheMyBatisPageFindsDuplicates(Databases database) {
        Page duplicates = Page.of("mybatis.md").section("Duplicate keys with MyBatis-Plus");
        String query = SqlScript.statements(duplicates.blocks("sql").get(0)).get(0);
        try (HikariDataSource pool = database.open()) {
            JdbcTemplate jdbc = new JdbcTemplate(pool);
            jdbc.execute("DROP TABLE IF EXISTS purchase");
            jdbc.execute("CREATE TABLE purchase (id BIGINT NOT NULL)");
            jdbc.execute("INSERT INTO purchase VALUES (1), (2), (2)");

            assertThat(jdbc.query(query, (row, number) -> row.getLong("id"))).containsExactly(2L);
            jdbc.execute("DROP TABLE purchase");
        }
    }

    @Test
    void myBatisPageHasTheSameConfiguration() {
        Page myBatis = Page.of("mybatis.md").section("Switch from `ASSIGN_ID`");

        assertThat(myBatis.blocks("yaml"))
                .containsExactly(
                        PAGE.section("MyBatis-Plus and Hutool").blocks("yaml").get(0));
    }

    private static void insert(JdbcTemplate jdbc, IdFields... rows) {
        for (IdFields row : rows) {
            jdbc.update("INSERT INTO purchase VALUES (?)", IdLayout.TWITTER.encode(row));
        }
    }

    private static void generator(String section, int block, Consumer<SnowflakeIdGenerator> assertions) {
        PropertySource<?> properties = yaml(section, block);
        new ApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(SnowflakeAutoConfiguration.class, SnowflakeJdbcAutoConfiguration.class))
                .withInitializer(
                        context -> context.getEnvironment().getPropertySources().addFirst(properties))
                .run(context -> assertions.accept(context.getBean(SnowflakeIdGenerator.class)));
    }

    /** The YAML of a section, counted from 1. */
    private static PropertySource<?> yaml(String section, int block) {
        return Page.properties(PAGE.section(section).blocks("yaml").get(block - 1))
                .get(0);
    }
}
