package io.github.snowflakeid.it.stores;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.snowflakeid.SnowflakeIdGenerator;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.springframework.context.ConfigurableApplicationContext;

/** Another process of the application and then this one lease the only worker ID of each store. */
// Slow: starts processes on each store, and freezes and kills them for longer than a lease.
@Tag("full")
@Tag("processes")
@Timeout(value = 900, threadMode = ThreadMode.SEPARATE_THREAD)
class StoreProcessTests {

    private static final Set<String> ON_SERVERS = Set.of("", "orders");
    private static final Set<String> ALL = Set.of("", "orders", "invoices", "tickets");

    private final Map<String, List<Long>> ids = new HashMap<>();
    private final List<String> log = new ArrayList<>();
    private Process other;
    private BufferedReader output;

    private static List<String> withOneWorkerId(String... others) {
        List<String> options = StoreServers.options(
                "--snowflake.worker.lease.ttl=5s",
                "--snowflake.worker.lease.acquire-timeout=60s",
                "--snowflake.bits.datacenter=0",
                "--snowflake.bits.worker=0",
                "--snowflake.worker.lease.namespace=one",
                "--snowflake.generators.orders.worker.lease.namespace=one");
        options.addAll(List.of(others));
        return options;
    }

    private static List<String> ofAllStores() {
        return withOneWorkerId(
                "--spring.profiles.active=each",
                "--snowflake.generators.invoices.worker.lease.namespace=one",
                "--snowflake.generators.tickets.worker.lease.namespace=one");
    }

    private static List<String> ofServers() {
        return withOneWorkerId(
                "--snowflake.worker.strategy=redis", "--snowflake.generators.orders.worker.strategy=zookeeper");
    }

    @BeforeEach
    void start() throws Exception {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                StoreShop.class.getName(),
                StoreServers.NEW_NAMESPACE));
        command.addAll(ofAllStores());
        other = new ProcessBuilder(command).redirectErrorStream(true).start();
        output = other.inputReader();
    }

    @AfterEach
    void kill() {
        // Process.destroyForcibly would also close the output that is still to be read.
        other.toHandle().destroyForcibly();
    }

    @Test
    void noIdIsIssuedTwiceIfAProcessIsFrozenOrKilled() throws Exception {
        await("sold", ALL);
        signal("STOP");
        try (ConfigurableApplicationContext here = StoreServers.run(ofServers())) {
            makeIds(here);
            signal("CONT");
            await("refused", ON_SERVERS);
            makeIds(here);
        }
        await("sold", ALL);

        kill();
        readAll();
        try (ConfigurableApplicationContext here = StoreServers.run(ofAllStores())) {
            makeIds(here);
        }

        assertThat(ids).containsOnlyKeys(ALL);
        ids.forEach((name, made) -> assertThat(made).as("ids of '%s'", name).doesNotHaveDuplicates());
    }

    private void makeIds(ConfigurableApplicationContext context) {
        for (SnowflakeIdGenerator generator :
                context.getBeansOfType(SnowflakeIdGenerator.class).values()) {
            LongStream.of(generator.nextIds(1_000)).forEach(ids.get(generator.name())::add);
        }
    }

    private void signal(String signal) throws Exception {
        assertThat(new ProcessBuilder("kill", "-" + signal, Long.toString(other.pid()))
                        .start()
                        .waitFor())
                .isZero();
    }

    /** Reads on until each of these generators has had such a fate. */
    private void await(String fate, Set<String> names) throws IOException {
        Set<String> missing = new HashSet<>(names);
        while (!missing.isEmpty()) {
            String line = output.readLine();
            assertThat(line).as(() -> String.join("\n", log)).isNotNull();
            note(line);
            missing.removeIf(name -> line.startsWith(fate + " '" + name + "'"));
        }
    }

    private void readAll() throws IOException {
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            note(line);
        }
    }

    /** An incomplete line has no end. */
    private void note(String line) {
        if (line.startsWith("sold ") && line.endsWith(" end")) {
            String[] words = line.split(" ");
            List<Long> made = ids.computeIfAbsent(words[1].replace("'", ""), name -> new ArrayList<>());
            Stream.of(words).skip(2).limit(words.length - 3).map(Long::valueOf).forEach(made::add);
        } else {
            log.add(line);
        }
    }
}
