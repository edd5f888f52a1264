package io.github.snowflakeid.segment;

import static io.github.snowflakeid.worker.WorkerRegistryContract.atOnce;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.github.snowflakeid.segment.SegmentStore.Counter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The contract of {@link SegmentStore} as a suite of tests. If you write a store, extend this class and implement the
 * methods that open and close it. This class is public API in the test jar of the core; new versions may add tests.
 *
 * <p>It needs JUnit Jupiter and AssertJ. Each test begins with an empty store, runs in one process, and uses up to 16
 * threads. The suite cannot check how servers behave when they are killed or fail over.
 */
@Timeout(600)
@SuppressWarnings("exports")
public abstract class SegmentStoreContract {

    private static final String NAME = "orders";

    private SegmentStore store;

    /** Creates the suite; called by subclasses. */
    protected SegmentStoreContract() {}

    /**
     * Opens a store without any counters. Called before each test.
     *
     * @throws Exception if the store cannot be opened; the test then fails
     */
    protected abstract void openEmptyStore() throws Exception;

    /**
     * Returns the open store, as another process would open it. A test calls this several times, from several threads
     * at once.
     *
     * @return a store, which the test does not close
     */
    protected abstract SegmentStore store();

    /**
     * Closes the store. Called after each test, even if the test failed.
     *
     * @throws Exception if the store cannot be closed; the test then fails
     */
    protected abstract void closeStore() throws Exception;

    /**
     * Whether the client may repeat a write whose answer it has lost.
     *
     * @return whether a repeated write has to be answered like the first one; {@code false} unless overridden
     */
    protected boolean repeatsWrites() {
        return false;
    }

    @BeforeEach
    void open() throws Exception {
        openEmptyStore();
        store = store();
    }

    @AfterEach
    void close() throws Exception {
        closeStore();
    }

    private static String token() {
        return UUID.randomUUID().toString();
    }

    private static Counter counter(long last) {
        return new Counter(1, 1, last, token());
    }

    /** Writes a counter, and asserts that the write is accepted. */
    private Counter written(String name, @Nullable Counter seen, Counter next) {
        assertThat(store.write(name, seen, next)).as("%s after %s", next, seen).isTrue();
        return next;
    }

    @Test
    void describesItself() {
        assertThat(store.description()).isNotBlank();
        assertThat(store.kind()).matches("[a-z][a-z0-9-]*");
    }

    @Test
    void counterThatWasNeverWrittenIsNull() {
        assertThat(store.read(NAME)).isNull();
    }

    @Test
    void readsWritesOfOthers() {
        Counter first = written(NAME, null, new Counter(1_000, 3, 997, token()));
        assertThat(store().read(NAME)).isEqualTo(first);

        Counter second = written(NAME, first, new Counter(2_000, 5, 2_495, token()));
        assertThat(store().read(NAME)).isEqualTo(second);
    }

    /** Arabic digits are not in ASCII, and Turkish has another lower-case letter for I. */
    @Test
    void processesOfDifferentLocalesShareACounter() {
        Locale before = Locale.getDefault();
        try {
            Counter last = null;
            for (String locale : List.of("ar-EG", "en-US", "tr-TR", "ar-EG")) {
                Locale.setDefault(Locale.forLanguageTag(locale));
                last = written("TITLE", last, counter(last == null ? 1_000 : last.last() + 1_000));
                assertThat(store().read("TITLE")).isEqualTo(last);
            }
        } finally {
            Locale.setDefault(before);
        }
    }

    @Test
    void keepsEveryNumberToTheLastDigit() {
        Counter seen = null;
        for (long number : new long[] {
            Long.MAX_VALUE,
            Long.MAX_VALUE - 1,
            Long.MIN_VALUE,
            (1L << 53) + 1,
            -(1L << 53) - 1,
            999_999_999_999_999_999L,
            0,
            -1
        }) {
            seen = written(NAME, seen, new Counter(number, Integer.MAX_VALUE, number, token()));
            assertThat(store.read(NAME)).isEqualTo(seen);
        }
    }

    @Test
    void counterIsCreatedOnce() {
        Counter first = written(NAME, null, counter(100));

        assertThat(store.write(NAME, null, counter(200))).isFalse();
        assertThat(store().write(NAME, null, counter(300))).isFalse();
        assertThat(store.read(NAME)).isEqualTo(first);
    }

    @Test
    void oneOfManyThatCreateItWins() throws Exception {
        List<Counter> counters = new ArrayList<>();
        for (int i = 0; i < 16; i++) {
            counters.add(counter(i));
        }
        List<Boolean> created = atOnce(16, i -> store().write(NAME, null, counters.get(i)));

        assertThat(created).containsOnlyOnce(true);
        assertThat(store.read(NAME)).isEqualTo(counters.get(created.indexOf(true)));
    }

    @Test
    void writesNothingIfTheTokenIsAnotherOne() {
        Counter first = written(NAME, null, new Counter(1, 1, 100, "token-a"));
        for (String other : List.of("token-b", "TOKEN-A", "token-", "token-a2", "x".repeat(36))) {
            assertThat(store.write(NAME, new Counter(1, 1, 100, other), counter(200)))
                    .as("token %s", other)
                    .isFalse();
        }
        assertThat(store.read(NAME)).isEqualTo(first);

        Counter second = written(NAME, first, counter(200));
        assertThat(store.write(NAME, first, counter(300))).isFalse();
        assertThat(store.read(NAME)).isEqualTo(second);
    }

    @Test
    void tokenAloneDecides() {
        written(NAME, null, new Counter(1, 1, 100, "token"));

        assertThat(store.write(NAME, new Counter(5, 7, 300, "token"), counter(400)))
                .isTrue();
    }

    @Test
    void writesNothingIfThereIsNoCounter() {
        assertThat(store.write(NAME, counter(100), counter(200))).isFalse();
        assertThat(store.read(NAME)).isNull();
    }

    @Test
    void repeatedWriteIsAnsweredAsTheFirstOne() {
        assumeThat(repeatsWrites()).as("the client repeats writes").isTrue();
        Counter first = written(NAME, null, counter(100));
        written(NAME, null, first);
        Counter second = written(NAME, first, counter(200));
        written(NAME, first, second);
        Counter third = written(NAME, second, counter(300));

        assertThat(store.write(NAME, first, second)).isFalse();
        assertThat(store.read(NAME)).isEqualTo(third);
    }

    @Test
    void oneOfManyThatHaveSeenTheSameTokenWins() throws Exception {
        Counter seen = written(NAME, null, counter(0));
        for (int round = 0; round < 5; round++) {
            Counter before = seen;
            List<Counter> counters = new ArrayList<>();
            for (int i = 0; i < 16; i++) {
                counters.add(counter(i));
            }
            List<Boolean> written = atOnce(16, i -> store().write(NAME, before, counters.get(i)));

            assertThat(written).containsOnlyOnce(true);
            seen = counters.get(written.indexOf(true));
            assertThat(store.read(NAME)).isEqualTo(seen);
        }
    }

    @Test
    void noWriteOfManyIsLost() throws Exception {
        written(NAME, null, counter(0));
        int threads = 8;
        int writes = 20;
        atOnce(threads, thread -> {
            SegmentStore own = store();
            for (int written = 0; written < writes; ) {
                Counter seen = own.read(NAME);
                assertThat(seen).isNotNull();
                written += own.write(NAME, seen, counter(seen.last() + 1)) ? 1 : 0;
            }
            return thread;
        });
        assertThat(store.read(NAME)).isNotNull().extracting(Counter::last).isEqualTo((long) threads * writes);
    }

    @Test
    void namesAreIndependentHoweverMuchAlike() {
        List<String> names = List.of(
                "orders",
                "Orders",
                "orders.",
                "order",
                "orders:1",
                "{orders}",
                "orders'; --",
                "or%ers_",
                "orders\\",
                "orders\"",
                "caf\u00e9",
                "cafe\u0301",
                "cafe",
                "\u96ea",
                "\ud83c\udfab",
                "n".repeat(100),
                "n".repeat(99),
                "\u96ea".repeat(100));
        List<Counter> counters = new ArrayList<>();
        for (String name : names) {
            assertThat(store.read(name)).as(name).isNull();
            counters.add(written(name, null, counter(counters.size())));
        }
        for (String name : names) {
            assertThat(store().read(name)).as(name).isEqualTo(counters.get(names.indexOf(name)));
        }
    }
}
