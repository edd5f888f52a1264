package io.github.snowflakeid.example;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.snowflakeid.IdGenerator;
import io.github.snowflakeid.IdLayout;
import io.github.snowflakeid.test.SettableClock;
import io.github.snowflakeid.test.TestIdGenerator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The tests without Spring of docs/testing.md. */
class TestingPageTests {

    private record Order(long id, Instant placedAt, String product) {}

    private static final class Orders {

        private final IdGenerator ids;
        private final Clock clock;
        private final List<Order> placed = new ArrayList<>();

        Orders(IdGenerator ids, Clock clock) {
            this.ids = ids;
            this.clock = clock;
        }

        void place(String product) {
            placed.add(new Order(ids.nextId(), clock.instant(), product));
        }
    }

    @Test
    void ordersHavePredictableIdsAndTimes() {
        TestIdGenerator ids = new TestIdGenerator();
        SettableClock clock = SettableClock.at(Instant.parse("2026-03-01T00:00:00Z"));
        Orders orders = new Orders(ids, clock);

        orders.place("tea");
        clock.advance(Duration.ofDays(1));
        orders.place("milk");

        assertThat(orders.placed)
                .containsExactly(
                        new Order(1, Instant.parse("2026-03-01T00:00:00Z"), "tea"),
                        new Order(2, Instant.parse("2026-03-02T00:00:00Z"), "milk"));
    }

    @Test
    void idsOfAGeneratorAscendWithinTheirTime() {
        IdLayout layout = IdLayout.DEFAULT;
        Instant from = Instant.parse("2026-03-01T00:00:00Z");
        Instant to = from.plusSeconds(1);
        TestIdGenerator generator = TestIdGenerator.startingAt(layout, from);
        generator.nextIds(100);
        List<Long> issued = generator.issued();

        assertThat(issued).doesNotHaveDuplicates().isSorted();
        assertThat(issued).allMatch(layout.range(from, to)::contains);
    }

    @Test
    void pageShowsTheseTests() throws IOException {
        String here = Files.readString(Path.of("src/test/java/io/github/snowflakeid/example/TestingPageTests.java"))
                .replaceAll("\\s", "");
        String page = Files.readString(Path.of("../docs/testing.md"));
        String section = page.split("\n## Tests without Spring\n")[1].split("\n## ")[0];
        String[] parts = section.split("```java|```");

        assertThat(here).contains(parts[1].replaceAll("\\s", ""), parts[3].replaceAll("\\s", ""));
    }
}
