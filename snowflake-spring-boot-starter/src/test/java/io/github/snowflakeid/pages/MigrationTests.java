package io.github.snowflakeid.pages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.snowflakeid.IdFields;
import io.github.snowflakeid.IdLayout;
import io.github.snowflakeid.SnowflakeIdGenerator;
import io.github.snowflakeid.WorkerIdAssigner;
import io.github.snowflakeid.jdbc.Databases;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.jdbc.AutoSave;
import org.postgresql.jdbc.PgConnection;

/**
 * Runs the scripts of docs/migration.md statement by statement, while versions of an application save and read. No row
 * may be lost, no ID may occur twice, and each line must belong to its purchase.
 */
// Slow: migrates tables while versions of an application write to them, on each server.
@Tag("full")
@Tag("servers")
class MigrationTests {

    /** The page's border between numbers of counters and IDs. */
    private static final long BORDER = 1_000_000_000_000L;
    /** The start of counters that cannot stay below the border, according to the page. */
    private static final long END_OF_LAYOUT = 9223370937343148032L;

    private final SnowflakeIdGenerator generator =
            SnowflakeIdGenerator.builder().worker(WorkerIdAssigner.fixed(3, 7)).build();
    private final Version newVersion = Version.of("new", (connection, table) -> generator.nextId());

    @AfterEach
    void close() {
        generator.close();
    }

    @AfterAll
    static void everyScriptWasRun() throws IOException {
        if (!Databases.usesMysql()) {
            Migration.assertThatEveryScriptWasRun();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "POSTGRESQL, identity-1-widen, identity-2-accept",
        "POSTGRESQL, widen-large, identity-2-accept",
        "MARIADB, identity-1-widen, identity-2-accept",
        "MARIADB, identity-1-widen-mysql, identity-2-accept-mysql",
    })
    void identityColumns(Databases database, String widen, String accept) throws Exception {
        Version oldVersion = Version.of("old", null);
        try (Migration migration = new Migration(database)) {
            migration.step("identity-0-tables");
            migration.start(oldVersion);
            if (widen.equals("widen-large")) {
                widenInBatches(migration);
            } else {
                migration.step(widen);
            }
            migration.step(accept);
            migration.deploy(newVersion);
            migration.deploy(oldVersion);
            assertThat(migration.ask("check")).as("a second attempt").isTrue();
            migration.deploy(newVersion);

            if (!migration.isOnMysql()) {
                migration.step("identity-4-clean-up");
                assertThatThrownBy(() -> migration.jdbc().update("INSERT INTO purchase (customer) VALUES ('')"))
                        .rootCause()
                        .hasMessageMatching(
                                "(?s).*(null value in column \"id\"|Field 'id' doesn't have a default value).*");
                migration.step("identity-5-go-back");
            }
            migration.deploy(oldVersion);
            assertThat(migration.ask("check")).as("a third attempt").isTrue();
            migration.deploy(newVersion);
            migration.assertThatNothingIsLost("id", "id", "purchase_id");
            assertThatNumbersAreOfTheirOwnRanges(migration.saved(), database == Databases.MARIADB);
        }
    }

    private static void widenInBatches(Migration migration) throws Exception {
        for (String step : List.of("1-add", "2-fill", "3-index", "undo", "1-add", "2-fill", "3-index", "4-switch")) {
            migration.step("widen-large-" + step);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void sequences(Databases database) throws Exception {
        String next = database == Databases.POSTGRESQL ? "SELECT nextval('%s_seq')" : "SELECT NEXTVAL(%s_seq)";
        try (Migration migration = new Migration(database)) {
            migration.step("sequence-0-tables");
            migration.start(Version.inRanges("old", 50, next));
            migration.deploy(newVersion);
            migration.deploy(Version.inRanges("old", 50, next));
            migration.deploy(newVersion);

            migration.step("sequence-2-drop");
            migration.step("sequence-3-go-back");
            migration.deploy(Version.inRanges("old", 50, next));
            migration.deploy(newVersion);
            migration.assertThatNothingIsLost("id", "id", "purchase_id");
            assertThatNumbersAreOfTheirOwnRanges(migration.saved(), false);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void segments(Databases database) throws Exception {
        String reserve = "UPDATE leaf_alloc SET max_id = max_id + step WHERE biz_tag = '%s'";
        String first = "SELECT max_id - step + 1 FROM leaf_alloc WHERE biz_tag = '%s'";
        try (Migration migration = new Migration(database)) {
            migration.step("sequence-0-tables");
            migration.step("segments-0-counters");
            migration.start(Version.inRanges("old", 100, reserve, first));
            migration.deploy(newVersion);
            migration.deploy(Version.inRanges("old", 100, reserve, first));
            migration.deploy(newVersion);

            migration.step("segments-2-drop");
            migration.step("segments-3-go-back");
            migration.deploy(Version.inRanges("old", 100, reserve, first));
            migration.deploy(newVersion);
            migration.assertThatNothingIsLost("id", "id", "purchase_id");
            assertThatNumbersAreOfTheirOwnRanges(migration.saved(), false);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void uuids(Databases database) throws Exception {
        Version oldVersion = Version.of("old", (connection, table) -> UUID.randomUUID());
        Version withNumbers =
                new Version("new", "purchase_no", "line_no", "purchase_no", (connection, table) -> generator.nextId());
        try (Migration migration = new Migration(database)) {
            migration.step("uuid-0-tables");
            migration.start(oldVersion);
            addSecondKeys(migration);
            migration.step("uuid-undo");
            addSecondKeys(migration);
            migration.deploy(withNumbers);
            migration.deploy(oldVersion);
            migration.deploy(withNumbers);
            migration.assertThatNothingIsLost("id", "id", "purchase_id");
            migration.assertThatNothingIsLost("purchase_no", "line_no", "purchase_no");

            migration.start(withNumbers);
            migration.step("uuid-5-drop");
            migration.assertThatNothingIsLost("purchase_no", "line_no", "purchase_no");
            assertThatThrownBy(() -> migration
                            .jdbc()
                            .update("INSERT INTO purchase_line (line_no, purchase_no, product) VALUES (0, 0, '')"))
                    .rootCause()
                    .hasMessageContaining("foreign key");
        }
    }

    private static void addSecondKeys(Migration migration) throws Exception {
        for (String step : List.of("1-add", "2-number", "3-require")) {
            migration.step("uuid-" + step);
        }
    }

    @Test
    void postgresqlRejectsIdsThatAreGeneratedAlways() throws Exception {
        try (Migration migration = new Migration(Databases.POSTGRESQL)) {
            migration.step("identity-0-tables");

            assertThatThrownBy(() -> migration.jdbc().update("INSERT INTO purchase VALUES (1, '')"))
                    .rootCause()
                    .hasMessageContaining("cannot insert a non-DEFAULT value into column \"id\"");
        }
    }

    @Test
    void mariadbCountsOnFromAnIdThatItIsGiven() throws Exception {
        try (Migration migration = new Migration(Databases.MARIADB)) {
            migration.step("identity-0-tables");

            migration.jdbc().update("INSERT INTO purchase VALUES (1000000000, '')");
            migration.jdbc().update("INSERT INTO purchase (customer) VALUES ('')");

            assertThat(migration.jdbc().queryForList("SELECT id FROM purchase ORDER BY id", Integer.class))
                    .containsExactly(1_000_000_000, 1_000_000_001);
        }
    }

    @Test
    void mariadbDoesNotWidenAColumnWithAForeignKey() throws Exception {
        try (Migration migration = new Migration(Databases.MARIADB)) {
            migration.step("identity-0-tables");

            assertThatThrownBy(() -> migration.jdbc().update("ALTER TABLE purchase MODIFY id BIGINT NOT NULL"))
                    .rootCause()
                    .hasMessageContaining("Cannot change column 'id': used in a foreign key constraint");
        }
    }

    /** Servers before 11.2 reject {@code LOCK=NONE}, as this server rejects to widen a column in place. */
    @Test
    void mariadbKeepsTheForeignKeyIfItCannotCopyWhileWritesContinue() throws Exception {
        try (Migration migration = new Migration(Databases.MARIADB)) {
            migration.step("identity-0-tables");

            assertThatThrownBy(() -> migration.step(
                            "identity-1-widen", sql -> sql.replace("ALGORITHM=COPY, LOCK=NONE", "ALGORITHM=INPLACE")))
                    .hasMessageContaining("ALGORITHM=INPLACE is not supported");
            assertThatThrownBy(() ->
                            migration.jdbc().update("INSERT INTO purchase_line (purchase_id, product) VALUES (1, '')"))
                    .rootCause()
                    .hasMessageContaining("foreign key");
        }
    }

    @Test
    void counterOfMariadbDoesNotContinueAfterIdsOfAnEarlierAttempt() throws Exception {
        try (Migration migration = new Migration(Databases.MARIADB)) {
            migration.step("identity-0-tables");
            migration.step("identity-1-widen");
            migration.jdbc().update("INSERT INTO purchase VALUES (?, '')", generator.nextId());
            migration.step("identity-2-accept");
            migration.jdbc().update("INSERT INTO purchase (customer) VALUES ('old')");

            assertThat(migration.jdbc().queryForObject("SELECT id FROM purchase WHERE customer = 'old'", Long.class))
                    .isLessThan(BORDER);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"never", "conservative"})
    void widerColumnFailsATransactionOfPostgresqlUnlessAutosaveIsConservative(String autosave) throws Exception {
        try (Migration migration = new Migration(Databases.POSTGRESQL)) {
            migration.step("identity-0-tables");
            try (Connection connection = migration.pool().getConnection();
                    PreparedStatement first = connection.prepareStatement("SELECT 1");
                    PreparedStatement query = connection.prepareStatement("SELECT id FROM purchase")) {
                connection.unwrap(PgConnection.class).setAutosave(AutoSave.of(autosave));
                for (int i = 0; i < 10; i++) {
                    query.execute();
                }
                migration.step("identity-1-widen");
                connection.setAutoCommit(false);
                first.execute();

                if (autosave.equals("conservative")) {
                    assertThat(query.execute()).isTrue();
                } else {
                    assertThatThrownBy(query::execute).hasMessage("ERROR: cached plan must not change result type");
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void numbersThatAreInTheWayAreFound(Databases database) throws Exception {
        long tomorrow = IdLayout.DEFAULT.encode(new IdFields(Instant.now().plus(Duration.ofDays(1)), 0, 0, 0));
        try (Migration migration = new Migration(database)) {
            migration.jdbc().execute("CREATE TABLE purchase (id BIGINT NOT NULL PRIMARY KEY)");

            assertThat(migration.ask("check")).as("empty table").isTrue();
            migration.jdbc().update("INSERT INTO purchase VALUES (?)", BORDER);
            assertThat(migration.ask("check")).as("counted").isTrue();
            if (database == Databases.MARIADB) {
                migration.jdbc().update("INSERT INTO purchase VALUES (?)", END_OF_LAYOUT);
                assertThat(migration.ask("check")).as("counted at the end").isTrue();
            }
            migration.jdbc().update("INSERT INTO purchase VALUES (?)", tomorrow);
            assertThat(migration.ask("check")).as("not counted").isFalse();
        }
    }

    private static void assertThatNumbersAreOfTheirOwnRanges(Map<String, Object> saved, boolean alsoAtTheEnd) {
        assertThat(saved).allSatisfy((name, key) -> {
            long id = (long) key;
            if (name.startsWith("old")) {
                assertThat(id < BORDER || (alsoAtTheEnd && id >= END_OF_LAYOUT)).isTrue();
            } else {
                IdFields fields = IdLayout.DEFAULT.decode(id);
                assertThat(fields.timestamp()).isAfter(Instant.now().minusSeconds(600));
                assertThat(fields.datacenterId()).isEqualTo(3);
                assertThat(fields.workerId()).isEqualTo(7);
            }
        });
    }
}
