package io.github.snowflakeid.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.github.snowflakeid.failure.ConfigurationException;
import io.github.snowflakeid.internal.failure.Problem;
import io.github.snowflakeid.segment.NumbersUnavailableException;
import io.github.snowflakeid.segment.NumbersUnavailableException.Reason;
import io.github.snowflakeid.segment.SegmentIdGenerator;
import io.github.snowflakeid.segment.SegmentStore;
import io.github.snowflakeid.segment.SegmentStore.Counter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

class RedisSegmentStoreTests {

    /** Not the shared server, because these tests configure, kill and restart it. */
    private Server server = Server.started();

    private LettuceConnectionFactory connections;
    private SegmentStore store;

    @BeforeEach
    void connect() {
        connections = server.connections();
        store = on(connections);
    }

    @AfterEach
    void stop() {
        connections.destroy();
        server.close();
    }

    private static SegmentStore on(LettuceConnectionFactory connections) {
        return new RedisSegmentStore(connections, RedisSegmentStore.DEFAULT_KEY_PREFIX);
    }

    private void restart(String... settings) {
        connections.destroy();
        server.close();
        server = Server.started(settings);
        connect();
    }

    private static Counter counter(long last) {
        return new Counter(1, 1, last, UUID.randomUUID().toString());
    }

    private void execute(String command, String... arguments) {
        try (RedisConnection connection = connections.getConnection()) {
            byte[][] bytes = new byte[arguments.length][];
            for (int i = 0; i < arguments.length; i++) {
                bytes[i] = arguments[i].getBytes(StandardCharsets.UTF_8);
            }
            connection.execute(command, bytes);
        }
    }

    private SegmentIdGenerator generator() {
        return SegmentIdGenerator.builder()
                .name("orders")
                .store(store)
                .minStep(10)
                .maxStep(10)
                .maxWait(Duration.ofSeconds(20))
                .build();
    }

    /** Takes the numbers that were already fetched, and returns the failure of the call after them. */
    private static NumbersUnavailableException end(SegmentIdGenerator generator) {
        long taken = generator.statistics().last();
        NumbersUnavailableException end = catchThrowableOfType(NumbersUnavailableException.class, () -> {
            while (true) {
                assertThat(generator.nextId()).isLessThanOrEqualTo(taken);
            }
        });
        assertThat(end).isNotNull();
        return end;
    }

    // ---- lost data

    @Test
    void runningProcessNoticesThatTheCounterIsGone() {
        try (SegmentIdGenerator generator = generator()) {
            generator.nextId();
            execute("FLUSHALL");

            NumbersUnavailableException end = end(generator);

            assertThat(end.reason()).isEqualTo(Reason.COUNTER_MOVED_BACK);
            assertThat(end.getMessage())
                    .matches(
                            "Counter 'orders' in Redis \\(keys snowflake:counter:\\*\\) moved back, so numbers may be issued twice:"
                                    + " it no longer exists, but this process has reserved numbers up to \\d+\\. .*");
        }
    }

    @Test
    void runningProcessNoticesThatAnEarlierStateHasComeBack() {
        restart("--dbfilename", "dump.rdb");
        try (SegmentIdGenerator generator = generator()) {
            execute("SAVE");
            long before = generator.statistics().last();
            while (generator.nextId() <= before) {
                Thread.onSpinWait();
            }
            server.kill();
            server.start();

            NumbersUnavailableException end = end(generator);

            assertThat(end.reason()).isEqualTo(Reason.COUNTER_MOVED_BACK);
            assertThat(end).hasMessageContaining(" has the value ");
        }
    }

    @Test
    void nothingIsWrittenToACounterThatIsGone() {
        Counter first = counter(100);
        assertThat(store.write("orders", null, first)).isTrue();
        execute("FLUSHALL");

        assertThat(store.write("orders", first, counter(200))).isFalse();
        assertThat(store.read("orders")).isNull();
    }

    // ---- lost answers

    @Test
    void scriptThatIsSentAgainIsDoneOnceAndAnsweredAlike() throws Exception {
        try (CuttingProxy proxy = new CuttingProxy(server.port())) {
            LettuceConnectionFactory through = Server.connections(proxy.port(), Duration.ofSeconds(20));
            try {
                SegmentStore again = on(through);
                assertThat(again.read("orders")).isNull();
                Counter first = counter(100);
                Counter second = counter(200);

                proxy.cutAnswerWith("HSET");
                assertThat(again.write("orders", null, first)).isTrue();
                proxy.cutAnswerWith("HSET");
                assertThat(again.write("orders", first, second)).isTrue();

                assertThat(proxy.cuts()).isEqualTo(2);
                assertThat(store.read("orders")).isEqualTo(second);
            } finally {
                through.destroy();
            }
        }
    }

    @Test
    void silentServerIsGivenUpLongBeforeTheClientDoes() throws Exception {
        SegmentStore impatient =
                new RedisSegmentStore(connections, RedisSegmentStore.DEFAULT_KEY_PREFIX, Duration.ofMillis(200));
        assertThat(store.read("orders")).isNull();
        signal("STOP");
        try {
            assertThatThrownBy(() -> impatient.read("orders"))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("the store did not answer within 200 ms");
        } finally {
            signal("CONT");
        }
        assertThat(store.read("orders")).isNull();
    }

    private void signal(String name) throws Exception {
        new ProcessBuilder("kill", "-" + name, String.valueOf(server.pid()))
                .start()
                .waitFor();
    }

    @Test
    void stoppedConnectionFactoryIsStartedForRemainingWork() {
        SegmentIdGenerator generator = generator();
        long first = generator.nextId();
        connections.stop();

        generator.close();

        assertThat(on(connections).read("orders").last()).isEqualTo(first);
    }

    // ---- foreign data and rejected calls

    private static ConfigurationException rejection(Runnable call) {
        Throwable thrown = Server.rejection(call);
        assertThat(thrown).isInstanceOf(NumbersUnavailableException.class);
        NumbersUnavailableException rejected = (NumbersUnavailableException) thrown;
        assertThat(rejected.reason()).isEqualTo(Reason.STORE_UNUSABLE);
        assertThat(rejected.getCause())
                .isInstanceOf(ConfigurationException.class)
                .hasMessage(rejected.getMessage());
        return (ConfigurationException) rejected.getCause();
    }

    private LettuceConnectionFactory login(String user, String password) {
        RedisStandaloneConfiguration as = new RedisStandaloneConfiguration("localhost", server.port());
        as.setUsername(user);
        as.setPassword(password);
        return Server.started(new LettuceConnectionFactory(as));
    }

    @Test
    void wrongPasswordIsReported() {
        LettuceConnectionFactory impostor = login("default", "wrong");
        execute("CONFIG", "SET", "requirepass", "right");
        try {
            ConfigurationException rejected = rejection(() -> on(impostor).read("orders"));
            assertThat(rejected).hasMessageStartingWith("Redis rejects the login: ");
            assertThat(rejected.action()).hasValue("""
                    Correct the user name and the password:

                    spring.data.redis.username: default
                    spring.data.redis.password: ${REDIS_PASSWORD}""");
        } finally {
            impostor.destroy();
        }
    }

    @Test
    void missingPermissionsAreReportedWithTheCommandThatGrantsThem() {
        execute("ACL", "SETUSER", "shop", "on", ">secret", "~other*", "+ping", "+hello", "+client", "+eval");
        LettuceConnectionFactory user = login("shop", "secret");
        try {
            SegmentStore limited = on(user);
            ConfigurationException rejected = rejection(() -> limited.read("orders"));
            assertThat(rejected)
                    .hasMessageStartingWith("The Redis user may not fetch numbers from 'snowflake:counter:orders': ");
            assertThat(rejected.action()).hasValue("""
                    As an administrator of Redis, execute:

                    ACL SETUSER <user> ~snowflake:counter:orders* +eval +hmget +hset +exists""");

            execute("ACL", "SETUSER", "shop", "~snowflake:counter:orders*", "+eval", "+hmget", "+hset", "+exists");
            assertThat(limited.read("orders")).isNull();
            assertThat(limited.write("orders", null, counter(100))).isTrue();
        } finally {
            user.destroy();
        }
    }

    @Test
    void whatElseHasTheKeyIsNotTouched() {
        String otherPrefix = """
                Use another prefix for the keys of counters:

                snowflake.segment.redis.key-prefix: "snowflake-numbers:\"""";
        execute("SET", "snowflake:counter:orders", "something else");
        ConfigurationException string = rejection(() -> store.read("orders"));
        assertThat(string).hasMessage("Key 'snowflake:counter:orders' exists in Redis, but is not a counter");
        assertThat(string.action()).hasValue(otherPrefix);

        execute("DEL", "snowflake:counter:orders");
        execute("HSET", "snowflake:counter:orders", "basket", "3 apples");
        for (Runnable call :
                List.<Runnable>of(() -> store.read("orders"), () -> store.write("orders", null, counter(100)))) {
            ConfigurationException foreign = rejection(call);
            assertThat(foreign).hasMessage("Key 'snowflake:counter:orders' exists in Redis, but is not a counter");
            assertThat(foreign.action()).hasValue(otherPrefix);
        }
        execute("HSET", "snowflake:counter:orders", "start", "1\nERROR", "token", "gold");
        assertThat(rejection(() -> store.read("orders")))
                .hasMessage("Key 'snowflake:counter:orders' exists in Redis, but is not a counter")
                .hasNoCause();
    }

    @Test
    void replicaAndFullMemoryMayBeOtherwiseALittleLater() {
        execute("CONFIG", "SET", "maxmemory", "1");
        assertThatThrownBy(() -> store.write("orders", null, counter(100)))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageStartingWith("Redis is full: ")
                .hasMessageContaining("OOM")
                .asInstanceOf(InstanceOfAssertFactories.type(ConfigurationException.class))
                .returns(Problem.STORE_FULL.anchor(), ConfigurationException::anchor)
                .extracting(failure -> failure.action().orElseThrow().substring(0, 5))
                .isEqualTo("Raise");

        execute("CONFIG", "SET", "maxmemory", "0");
        execute("REPLICAOF", "localhost", "1");
        assertThatThrownBy(() -> store.write("orders", null, counter(100)))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageStartingWith("Redis is read-only: ")
                .hasMessageContaining("READONLY")
                .asInstanceOf(InstanceOfAssertFactories.type(ConfigurationException.class))
                .returns(Problem.READ_ONLY_STORE.anchor(), ConfigurationException::anchor)
                .extracting(failure -> failure.action().orElseThrow())
                .isEqualTo("Connect to the primary server:\n\nspring.data.redis.host: redis-primary.example.org");
    }

    @Test
    void settingsThatEndangerCountersAreWarnedOf() {
        assertThat(warnings())
                .containsExactly(
                        "Redis may lose counters when it is restarted (appendonly no); numbers may then be issued twice."
                                + " Set 'appendonly yes' and 'appendfsync always'");

        execute("CONFIG", "SET", "appendonly", "yes");
        execute("CONFIG", "SET", "maxmemory", "100mb");
        execute("CONFIG", "SET", "maxmemory-policy", "allkeys-lru");
        assertThat(warnings())
                .containsExactly(
                        "Redis may evict counters (maxmemory-policy allkeys-lru); numbers may then be issued twice."
                                + " Set 'maxmemory-policy volatile-lru' or 'noeviction'");

        execute("CONFIG", "SET", "maxmemory-policy", "noeviction");
        assertThat(warnings()).isEmpty();
        assertThat(ServerCheck.warnings(HashKind.COUNTERS, "", "", Duration.ZERO))
                .as("INFO is not permitted")
                .isEmpty();
    }

    private List<String> warnings() {
        List<String> answer = new RedisScripts(connections, HashKind.COUNTERS)
                .texts(RedisScripts.CHECK_SERVER, "snowflake:counter:orders");
        return ServerCheck.warnings(HashKind.COUNTERS, answer.get(0), answer.get(1), Duration.ZERO);
    }

    @Test
    void isDescribedByItsKeys() {
        assertThat(store.description()).isEqualTo("Redis (keys snowflake:counter:*)");
        assertThat(store.kind()).isEqualTo("redis");
    }
}
