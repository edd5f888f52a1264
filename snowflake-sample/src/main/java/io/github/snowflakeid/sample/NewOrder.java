package io.github.snowflakeid.sample;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An order as a customer sends it. It is not validated until {@link #toOrder()} is called. */
record NewOrder(@Nullable String customer, @Nullable List<@Nullable Line> lines) {

    record Line(
            @Nullable String product,
            @Nullable BigDecimal quantity,
            @Nullable BigDecimal price) {

        private OrderLine toOrderLine(String path) {
            return new OrderLine(
                    text(path + ".product", product),
                    number(path + ".quantity", quantity, 1, 1_000_000, 0).intValueExact(),
                    number(path + ".price", price, 0, 1_000_000, 2).setScale(2));
        }
    }

    Order toOrder() {
        if (lines == null || lines.isEmpty() || lines.size() > 100) {
            throw new BadRequest("lines must be 1 to 100, but were %s".formatted(lines == null ? 0 : lines.size()));
        }
        String checkedCustomer = text("customer", customer);
        List<OrderLine> checkedLines = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            Line line = lines.get(i);
            String path = "lines[" + i + "]";
            if (line == null) {
                throw new BadRequest(path + " must not be null");
            }
            checkedLines.add(line.toOrderLine(path));
        }
        return new Order(checkedCustomer, checkedLines);
    }

    private static String text(String path, @Nullable String value) {
        if (value == null || value.isBlank() || value.length() > 200) {
            throw new BadRequest(path + " must have 1 to 200 characters, but "
                    + (value == null ? "is missing" : "has " + value.strip().length()));
        }
        return value.strip();
    }

    private static BigDecimal number(String path, @Nullable BigDecimal value, int min, int max, int places) {
        if (value == null
                || value.compareTo(BigDecimal.valueOf(min)) < 0
                || value.compareTo(BigDecimal.valueOf(max)) > 0
                || value.stripTrailingZeros().scale() > places) {
            String kind = places == 0 ? "a whole number" : "a number with at most " + places + " decimal places";
            throw new BadRequest("%s must be %s from %s to %s, but %s"
                    .formatted(path, kind, min, max, value == null ? "is missing" : "was " + value));
        }
        return value;
    }
}
