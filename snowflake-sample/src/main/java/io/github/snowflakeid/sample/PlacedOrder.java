package io.github.snowflakeid.sample;

import com.fasterxml.jackson.annotation.JsonFormat;
import io.github.snowflakeid.IdLayout;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;

/** An order as customers see it. Ids are strings: the numbers of JavaScript lose digits beyond 2^53. */
record PlacedOrder(
        @JsonFormat(shape = JsonFormat.Shape.STRING) long id,
        Instant placedAt,
        String customer,
        BigDecimal total,
        List<Line> lines) {

    record Line(@JsonFormat(shape = JsonFormat.Shape.STRING) long id, String product, int quantity, BigDecimal price) {}

    static PlacedOrder of(Order order, IdLayout layout) {
        List<Line> lines = order.lines().stream()
                .map(line -> new Line(line.id(), line.product(), line.quantity(), line.price()))
                .toList();
        BigDecimal total = lines.stream()
                .map(line -> line.price().multiply(BigDecimal.valueOf(line.quantity())))
                .reduce(BigDecimal.ZERO, BigDecimal::add);
        return new PlacedOrder(order.id(), layout.decode(order.id()).timestamp(), order.customer(), total, lines);
    }
}
