package io.github.snowflakeid.sample;

import io.github.snowflakeid.IdLayout;
import io.github.snowflakeid.publicid.PublicId;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An order as customers see it. Its public ID reveals neither how many orders there are nor the ID of another order. Only a demo lists all
 * orders to everyone.
 */
record PlacedOrder(
        OrderId id, @Nullable String number, Instant placedAt, String customer, BigDecimal total, List<Line> lines) {

    record Line(@PublicId("line") long id, String product, int quantity, BigDecimal price) {}

    static PlacedOrder of(Order order, IdLayout layout) {
        List<Line> lines = order.lines().stream()
                .map(line -> new Line(line.id(), line.product(), line.quantity(), line.price()))
                .toList();
        BigDecimal total = lines.stream()
                .map(line -> line.price().multiply(BigDecimal.valueOf(line.quantity())))
                .reduce(BigDecimal.ZERO, BigDecimal::add);
        return new PlacedOrder(
                order.id(), order.number(), layout.timestamp(order.id().value()), order.customer(), total, lines);
    }
}
