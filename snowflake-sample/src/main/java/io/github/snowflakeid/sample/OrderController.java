package io.github.snowflakeid.sample;

import io.github.snowflakeid.IdLayout;
import java.net.URI;
import java.util.List;
import org.springframework.data.domain.Limit;
import org.springframework.http.HttpStatus;
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

    OrderController(OrderRepository orders, IdLayout layout) {
        this.orders = orders;
        this.layout = layout;
    }

    @PostMapping
    @Transactional
    ResponseEntity<PlacedOrder> place(@RequestBody NewOrder order) {
        PlacedOrder placed = PlacedOrder.of(orders.save(order.toOrder()), layout);
        return ResponseEntity.created(URI.create("/orders/" + placed.id())).body(placed);
    }

    @GetMapping
    @Transactional(readOnly = true)
    List<PlacedOrder> list(
            @RequestParam(defaultValue = "-1") String after, @RequestParam(defaultValue = "100") String limit) {
        return orders
                .findByIdGreaterThanOrderById(Numbers.parse("after", after, -1, Long.MAX_VALUE), Limit.of((int)
                        Numbers.parse("limit", limit, 1, LONGEST_PAGE)))
                .stream()
                .map(order -> PlacedOrder.of(order, layout))
                .toList();
    }

    @GetMapping("/{id}")
    @Transactional(readOnly = true)
    PlacedOrder get(@PathVariable String id) {
        return orders.findById(Numbers.parse("id", id, 0, Long.MAX_VALUE))
                .map(order -> PlacedOrder.of(order, layout))
                .orElseThrow(() -> new ResponseStatusException(HttpStatus.NOT_FOUND, "There is no order " + id));
    }
}
