package io.github.snowflakeid.sample;

import io.github.snowflakeid.IdLayout;
import io.github.snowflakeid.IdRange;
import io.github.snowflakeid.numbers.DocumentNumbers;
import io.github.snowflakeid.text.PublicIds;
import java.net.URI;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.data.domain.Limit;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

@RestController
@RequestMapping("/orders")
class OrderController {

    private static final int LONGEST_PAGE = 1000;

    private final OrderRepository orders;
    private final IdLayout layout;
    private final PublicIds publicIds;
    private final DocumentNumbers numbers;

    OrderController(OrderRepository orders, IdLayout layout, PublicIds publicIds, DocumentNumbers numbers) {
        this.orders = orders;
        this.layout = layout;
        this.publicIds = publicIds;
        this.numbers = numbers;
    }

    @PostMapping(consumes = MediaType.APPLICATION_JSON_VALUE)
    @Transactional
    ResponseEntity<PlacedOrder> place(@RequestBody NewOrder order) {
        Order checked = order.toOrder();
        checked.number(numbers.next());
        PlacedOrder placed = PlacedOrder.of(orders.save(checked), layout);
        return ResponseEntity.created(URI.create(
                        "/orders/" + publicIds.encode("order", placed.id().value())))
                .body(placed);
    }

    @GetMapping
    @Transactional(readOnly = true)
    List<PlacedOrder> list(
            @RequestParam(required = false) @Nullable OrderId after, @RequestParam(defaultValue = "100") String limit) {
        return orders
                .findByIdGreaterThanOrderById(after == null ? new OrderId(-1) : after, Limit.of((int)
                        Numbers.parse("limit", limit, 1, LONGEST_PAGE)))
                .stream()
                .map(order -> PlacedOrder.of(order, layout))
                .toList();
    }

    /** Returns the orders of a span of time. The primary key finds them; there is no column or index for the time. */
    @GetMapping("/placed")
    @Transactional(readOnly = true)
    List<PlacedOrder> placed(
            @RequestParam Instant from, @RequestParam Instant to, @RequestParam(defaultValue = "100") String limit) {
        IdRange span = span(from, to);
        return orders
                .findByIdBetweenOrderById(new OrderId(span.first()), new OrderId(span.last()), Limit.of((int)
                        Numbers.parse("limit", limit, 1, LONGEST_PAGE)))
                .stream()
                .map(order -> PlacedOrder.of(order, layout))
                .toList();
    }

    private IdRange span(Instant from, Instant to) {
        try {
            return layout.range(from, to);
        } catch (IllegalArgumentException e) {
            throw new BadRequest(String.valueOf(e.getMessage()));
        }
    }

    /**
     * Returns a page of orders. A page begins after the last order of the previous page, however many orders are placed in the meantime,
     * and no rows have to be skipped.
     */
    @GetMapping("/newest")
    @Transactional(readOnly = true)
    NewestOrders newest(
            @RequestParam(required = false) @Nullable OrderId before, @RequestParam(defaultValue = "10") String limit) {
        int length = (int) Numbers.parse("limit", limit, 1, LONGEST_PAGE);
        // One order more than is shown reveals whether there is another page.
        List<PlacedOrder> found = orders
                .findByIdLessThanOrderByIdDesc(
                        before == null ? new OrderId(Long.MAX_VALUE) : before, Limit.of(length + 1))
                .stream()
                .map(order -> PlacedOrder.of(order, layout))
                .toList();
        return found.size() <= length
                ? new NewestOrders(found, null)
                : new NewestOrders(
                        found.subList(0, length), found.get(length - 1).id());
    }

    @GetMapping("/{id}")
    @Transactional(readOnly = true)
    PlacedOrder get(@PathVariable OrderId id) {
        // Has no reason, so the response is the same as for an invalid public ID.
        return orders.findById(id)
                .map(order -> PlacedOrder.of(order, layout))
                .orElseThrow(() -> new ResponseStatusException(HttpStatus.NOT_FOUND));
    }
}
