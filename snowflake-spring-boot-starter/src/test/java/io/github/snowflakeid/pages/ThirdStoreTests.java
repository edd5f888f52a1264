package io.github.snowflakeid.pages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.zaxxer.hikari.HikariDataSource;
import io.github.snowflakeid.jdbc.Databases;
import io.github.snowflakeid.jdbc.InitializeSchema;
import io.github.snowflakeid.jdbc.JdbcSegmentStore;
import io.github.snowflakeid.segment.NumbersUnavailableException;
import io.github.snowflakeid.segment.NumbersUnavailableException.Reason;
import io.github.snowflakeid.segment.SegmentIdGenerator;
import io.github.snowflakeid.segment.SegmentStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;

/** Runs the statements of docs/segment-stores.md for a third store in real databases. */
class ThirdStoreTests {

    private static final int STEP = 7;
    private static final String SECTION = "From two to three stores";

    private final List<HikariDataSource> pools = Stream.of(Databases.POSTGRESQL, Databases.MARIADB, Databases.H2)
            .map(Databases::open)
            .toList();
    private final List<JdbcTemplate> databases =
            pools.stream().map(JdbcTemplate::new).toList();
    private final List<SegmentStore> stores = pools.stream()
            .<SegmentStore>map(pool -> new JdbcSegmentStore(pool, JdbcSegmentStore.DEFAULT_TABLE)
                    .initializeSchema(InitializeSchema.ALWAYS))
            .toList();
    private final List<Long> numbers = new ArrayList<>();

    @BeforeEach
    void empty() {
        databases.forEach(database -> database.execute("DROP TABLE IF EXISTS snowflake_counter"));
        stores.forEach(store -> assertThat(store.read("orders")).isNull());
    }

    @AfterEach
    void close() {
        pools.forEach(HikariDataSource::close);
    }

    private SegmentIdGenerator generator(int ofStores) {
        return SegmentIdGenerator.builder()
                .name("orders")
                .stores(stores.subList(0, ofStores))
                .minStep(STEP)
                .maxStep(STEP)
                .build();
    }

    private void issue(SegmentIdGenerator generator, int count) {
        for (int i = 0; i < count; i++) {
            numbers.add(generator.nextId());
        }
    }

    /** Waits until the next segment is ready, so that no running fetch changes a counter afterwards. */
    private static void awaitFetch(SegmentIdGenerator generator) throws InterruptedException {
        while (generator.statistics().remaining() < STEP) {
            Thread.sleep(1);
        }
    }

    private static List<String> statements(String step) {
        return Page.of("segment-stores.md").blocks().stream()
                .filter(block -> block.language().equals("sql")
                        && block.section().equals(SECTION)
                        && block.step().equals(step))
                .flatMap(block -> block.statements().stream())
                .toList();
    }

    @Test
    void noNumberIsIssuedTwiceAndAForgottenProcessIsRejected() throws InterruptedException {
        SegmentIdGenerator forgotten = generator(2);
        try (SegmentIdGenerator one = generator(2);
                SegmentIdGenerator other = generator(2)) {
            for (int round = 0; round < 20; round++) {
                issue(one, 17);
                issue(other, 5);
                issue(forgotten, 3);
            }
        }
        awaitFetch(forgotten);
        NumbersUnavailableException another =
                catchThrowableOfType(NumbersUnavailableException.class, () -> generator(3));
        assertThat(another.reason()).isEqualTo(Reason.COUNTER_MISMATCH);

        String ask = statements("Find the last number").get(0);
        long highest = databases.subList(0, 2).stream()
                .mapToLong(database -> Objects.requireNonNull(database.queryForObject(ask, Long.class)))
                .max()
                .orElseThrow();
        List<String> changes = Stream.concat(
                        statements("Change the step of the old stores").stream(),
                        statements("Add the third store").stream())
                .map(sql -> sql.replace("123456", Long.toString(highest)))
                .toList();
        assertThat(changes).hasSize(3);
        for (int i = 0; i < 3; i++) {
            assertThat(databases.get(i).update(changes.get(i))).isEqualTo(1);
        }

        NumbersUnavailableException refused =
                catchThrowableOfType(NumbersUnavailableException.class, () -> issue(forgotten, 1_000));
        assertThat(refused.reason()).isEqualTo(Reason.COUNTER_MISMATCH);
        assertThat(numbers).allSatisfy(number -> assertThat(number).isLessThanOrEqualTo(highest));
        int before = numbers.size();
        try (SegmentIdGenerator one = generator(3);
                SegmentIdGenerator other = generator(3)) {
            for (int round = 0; round < 20; round++) {
                issue(one, 17);
                issue(other, 5);
            }
        }
        assertThat(numbers.subList(before, numbers.size()))
                .hasSize(440)
                .allSatisfy(number -> assertThat(number).isGreaterThan(highest));
        assertThat(numbers).doesNotHaveDuplicates();
        forgotten.close();
    }
}
