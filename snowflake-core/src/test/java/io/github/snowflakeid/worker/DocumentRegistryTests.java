package io.github.snowflakeid.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.snowflakeid.LeaseTerms;
import io.github.snowflakeid.SnowflakeIdGenerator;
import io.github.snowflakeid.WorkerIdUnavailableException;
import io.github.snowflakeid.WorkerRegistry;
import io.github.snowflakeid.WorkerRegistry.Claim;
import io.github.snowflakeid.WorkerRegistry.Entry;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(600)
class DocumentRegistryTests {

    private static final Duration TTL = Duration.ofSeconds(60);
    private static final Instant SOME_TIME = Instant.parse("2026-11-21T09:30:00.321Z");

    private final DocumentsInMemory store = new DocumentsInMemory();

    private static Claim claim(int workerId, String owner) {
        return Claim.of(0, workerId, owner, "test, pid 1", Instant.EPOCH, SOME_TIME, "layout");
    }

    @Nested
    class InAReliableStore extends Contract {

        @Override
        DocumentsInMemory newStore() {
            return new DocumentsInMemory();
        }
    }

    /** Like a client that sends a request again if it did not get the answer. */
    @Nested
    class InAStoreThatRepeatsWrites extends Contract {

        @Override
        DocumentsInMemory newStore() {
            return new DocumentsInMemory() {
                @Override
                public boolean put(String key, @Nullable String version, String text) {
                    super.put(key, version, text);
                    return super.put(key, version, text);
                }
            };
        }
    }

    private abstract static class Contract extends WorkerRegistryContract {

        private DocumentStore store = new DocumentsInMemory();

        abstract DocumentsInMemory newStore();

        @Override
        protected void openEmptyStore() {
            store = newStore();
        }

        @Override
        protected WorkerRegistry registry(String namespace) {
            return new DocumentRegistry(store, "ids", namespace);
        }

        @Override
        protected void closeStore() {}
    }

    /** Writes each time, but loses every second answer. */
    private static final class Forgetful extends DocumentsInMemory {

        private final AtomicInteger puts = new AtomicInteger();

        @Override
        public boolean put(String key, @Nullable String version, String text) {
            boolean written = super.put(key, version, text);
            if (puts.incrementAndGet() % 2 == 1) {
                throw new UncheckedIOException(new java.io.IOException("connection reset"));
            }
            return written;
        }
    }

    @Test
    void lostAnswerIsAnExceptionAndTheWriteIsKept() {
        DocumentRegistry registry = new DocumentRegistry(new Forgetful(), "ids/", "default");

        assertThatThrownBy(() -> registry.acquire(null, claim(7, "a"), TTL)).isInstanceOf(UncheckedIOException.class);

        assertThat(registry.read().contains(claim(7, "a"))).isTrue();
    }

    @Test
    void generatorsKeepTheirWorkerIdsThoughEverySecondAnswerIsLost() throws Exception {
        Forgetful forgetful = new Forgetful();
        Set<Long> ids = new HashSet<>();
        List<SnowflakeIdGenerator> generators = WorkerRegistryContract.atOnce(
                4,
                i -> SnowflakeIdGenerator.builder()
                        .lease(LeaseTerms.of(new DocumentRegistry(forgetful, "ids/", "default"))
                                .withTtl(Duration.ofSeconds(1)))
                        .maxWait(Duration.ofMinutes(1))
                        .build());
        int issued = 0;
        while (forgetful.puts.get() < 40) {
            for (SnowflakeIdGenerator generator : generators) {
                ids.add(generator.nextId());
                issued++;
            }
            Thread.sleep(1);
        }
        assertThat(ids).hasSize(issued);
        assertThat(generators)
                .extracting(generator -> generator.statistics().failures())
                .anySatisfy(failed -> assertThat(failed).isPositive());
        generators.forEach(SnowflakeIdGenerator::close);
    }

    @Test
    void writesOneKeyHoweverManyThereAre() {
        DocumentRegistry registry = new DocumentRegistry(store, "ids/", "default");
        for (int workerId = 0; workerId < 1024; workerId++) {
            registry.acquire(null, claim(workerId, "owner " + workerId), TTL);
        }
        store.requests.clear();

        assertThat(registry.renew(claim(7, "owner 7"), SOME_TIME.plusSeconds(20), TTL))
                .isTrue();
        assertThat(store.requests).containsExactly("get", "put");

        store.requests.clear();
        assertThat(registry.release(claim(8, "owner 8"), SOME_TIME)).isTrue();
        assertThat(store.requests).containsExactly("get", "put");
    }

    @Test
    void attemptsAreBounded() {
        DocumentsInMemory busy = new DocumentsInMemory() {
            @Override
            public boolean put(String key, @Nullable String version, String text) {
                requests.add("put");
                return false;
            }
        };

        assertThatThrownBy(() -> new DocumentRegistry(busy, "ids/", "default").acquire(null, claim(7, "a"), TTL))
                .hasMessage("'ids/default/0-7' was written by others during each of 2 attempts to write it");
        assertThat(busy.requests).containsExactly("get", "put", "get", "put");
    }

    @Test
    void keysOfANamespaceEndWithASlash() {
        for (String namespace : List.of("shop", "shop2", "shop/2", "..", "a b*\u96ea")) {
            new DocumentRegistry(store, "ids", namespace).acquire(null, claim(7, "a"), TTL);
        }

        assertThat(store.documents.keySet())
                .containsExactlyInAnyOrder(
                        "ids/shop/0-7",
                        "ids/shop2/0-7",
                        "ids/shop%2F2/0-7",
                        "ids/%2E%2E/0-7",
                        "ids/a%20b%2A%E9%9B%AA/0-7");
    }

    @Test
    void documentsAreReadable() {
        new DocumentRegistry(store, "ids/", "default").acquire(null, claim(7, "a"), TTL);

        assertThat(store.documents.get("ids/default/0-7").text())
                .matches("snowflake 1\na\n2026-11-21T09:30:00.321Z\n20.*Z\nlayout\ntest, pid 1");
    }

    @Test
    void rejectsDocumentsOfOthers() {
        DocumentRegistry registry = new DocumentRegistry(store, "ids/", "default");
        for (String text : List.of("", "snowflake 2\na", "snowflake 1\na\nb\nc\nd\ne")) {
            store.put("ids/default/0-7", null, text);
            assertThatThrownBy(registry::read)
                    .isInstanceOf(WorkerIdUnavailableException.class)
                    .hasMessage("'ids/default/0-7' is not a lease of a worker ID");
            assertThatThrownBy(() -> registry.acquire(null, claim(7, "a"), TTL))
                    .isInstanceOf(WorkerIdUnavailableException.class);
            store.documents.clear();
        }
        store.put("ids/default/settings", null, "snowflake 1\na\n" + SOME_TIME + "\n" + SOME_TIME + "\nd\ne");
        assertThatThrownBy(registry::read).isInstanceOf(WorkerIdUnavailableException.class);
    }

    @Test
    void closesConnectionsAfterARelease() {
        AtomicInteger closed = new AtomicInteger();
        DocumentRegistry registry = new DocumentRegistry(
                new DocumentsInMemory() {
                    @Override
                    public void close() {
                        closed.incrementAndGet();
                    }
                },
                "ids/",
                "default");
        registry.acquire(null, claim(7, "a"), TTL);
        assertThat(registry.read().entries()).extracting(Entry::owner).containsExactly("a");
        assertThat(closed).hasValue(0);

        registry.release(claim(7, "a"), SOME_TIME);
        assertThat(closed).hasValue(1);
    }
}
