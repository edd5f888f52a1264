package io.github.snowflakeid.it.time;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.snowflakeid.IdLayout;
import io.github.snowflakeid.IdRange;
import io.github.snowflakeid.it.time.TimeShop.Purchase;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.data.domain.ScrollPosition;
import org.springframework.data.support.WindowIterator;
import org.springframework.transaction.annotation.Transactional;

/** The recipes of docs/time.md: queries by the time in the ID, and pages by ID. */
@SpringBootTest
@Transactional
class QueryByTimeTests {

    @Autowired
    private PurchaseRepository purchases;

    @Autowired
    private IdLayout layout;

    private long march;
    private long april;

    @BeforeEach
    void savePurchases() {
        march = layout.firstId(Instant.parse("2026-03-01T00:00:00Z"));
        april = layout.firstId(Instant.parse("2026-04-01T00:00:00Z"));
        LongStream.of(march - 1, march, march + 1, april - 1, april).forEach(id -> save(id, "Ada"));
        save(march + 2, "Bob");
    }

    @Test
    void derivedQueryFindsRowsOfASpanOfTime() {
        IdRange span = layout.range(Instant.parse("2026-03-01T00:00:00Z"), Instant.parse("2026-04-01T00:00:00Z"));
        List<Purchase> ofMarch = purchases.findByIdBetween(span.first(), span.last());

        assertThat(ids(ofMarch)).containsExactlyInAnyOrder(march, march + 1, march + 2, april - 1);
    }

    @Test
    void jpqlFindsRowsOfASpanOfTime() {
        IdRange span = layout.range(Instant.parse("2026-03-01T00:00:00Z"), Instant.parse("2026-04-01T00:00:00Z"));

        assertThat(ids(purchases.findByCustomer("Ada", span))).containsExactlyInAnyOrder(march, march + 1, april - 1);
    }

    @Test
    void emptySpanOfTimeFindsNoRow() {
        Instant start = Instant.parse("2026-03-01T00:00:00Z");
        IdRange empty = layout.range(start, start);

        assertThat(purchases.findByIdBetween(empty.first(), empty.last())).isEmpty();
    }

    @Test
    void nextPageBeginsBehindTheLastId() {
        assertThat(ids(purchases.findTop100ByIdGreaterThanOrderById(march + 1)))
                .containsExactly(march + 2, april - 1, april);
    }

    @Test
    void newestRowsComeFirst() {
        assertThat(ids(purchases.findTop10ByOrderByIdDesc()))
                .containsExactly(april, april - 1, march + 2, march + 1, march, march - 1);
    }

    @Test
    void windowsHaveAllRowsInTheOrderOfTheirIds() {
        LongStream.range(april + 1, april + 250).forEach(id -> save(id, "Cid"));

        WindowIterator<Purchase> all =
                WindowIterator.of(purchases::findFirst100ByOrderById).startingAt(ScrollPosition.keyset());
        List<Purchase> read = new ArrayList<>();
        all.forEachRemaining(read::add);

        assertThat(ids(read)).hasSize(255).isSorted().doesNotHaveDuplicates();
    }

    private void save(long id, String customer) {
        Purchase purchase = new Purchase(customer);
        purchase.id = id;
        purchases.save(purchase);
    }

    private static List<Long> ids(List<Purchase> purchases) {
        return purchases.stream().map(purchase -> purchase.id).toList();
    }
}
