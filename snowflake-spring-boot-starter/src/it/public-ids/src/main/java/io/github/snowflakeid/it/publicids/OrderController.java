package io.github.snowflakeid.it.publicids;

import io.github.snowflakeid.SnowflakeId;
import io.github.snowflakeid.publicid.IdText;
import io.github.snowflakeid.publicid.PublicId;
import io.github.snowflakeid.text.IdFormat;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

/** One controller for both Spring MVC and WebFlux. */
@RestController
public class OrderController {

    private final Map<Long, String> rows = new ConcurrentHashMap<>(Map.of(249828685941993514L, "tea"));

    /** A query string or a form. */
    public record Search(@PublicId("order") Long after, Integer limit) {}

    @GetMapping("/orders/{id}")
    public String product(@PathVariable @PublicId("order") long id) {
        String product = rows.get(id);
        if (product == null) {
            throw new ResponseStatusException(HttpStatus.NOT_FOUND);
        }
        return product;
    }

    public record Receipt(
            @PublicId("order") long order, @PublicId("line") List<Long> lines) {}

    @GetMapping("/receipts/{order}")
    public Receipt receipt(@PathVariable @PublicId("order") long order) {
        if (!rows.containsKey(order)) {
            throw new ResponseStatusException(HttpStatus.NOT_FOUND);
        }
        return new Receipt(order, List.of(order + 1, order + 2));
    }

    @PostMapping("/receipts")
    public String read(@RequestBody Receipt receipt) {
        return receipt.order() + " " + receipt.lines();
    }

    @GetMapping("/numbers")
    public String numbers(
            @RequestParam(required = false) @PublicId("order") Long one,
            @RequestParam(defaultValue = "") @PublicId("order") List<Long> list,
            @RequestParam(defaultValue = "") @PublicId("order") long[] array,
            @RequestParam @PublicId("order") Optional<BigInteger> maybe,
            @RequestHeader(required = false) @PublicId("order") Long header) {
        return "%s %s %s %s %s"
                .formatted(one, list, List.of(array.length, array.length > 0 ? array[0] : 0), maybe, header);
    }

    @GetMapping("/search")
    public String search(@ModelAttribute Search search) {
        return String.valueOf(search.after());
    }

    /** A query string or a form, bound by setters. */
    public static class Filter {

        @PublicId("order")
        private Long after;

        public Long getAfter() {
            return after;
        }

        public void setAfter(Long after) {
            this.after = after;
        }
    }

    @GetMapping("/filter")
    public String filter(Filter filter) {
        return String.valueOf(filter.getAfter());
    }

    @PublicId("order")
    public record OrderId(long value) {}

    @SnowflakeId
    public record LineId(Long value) {}

    public record TypedOrder(OrderId id, LineId line, List<OrderId> related) {}

    public record TypedSearch(OrderId after, List<OrderId> among, LineId line) {}

    @GetMapping("/typed/{id}")
    public TypedOrder typed(
            @PathVariable OrderId id,
            @RequestParam(required = false) LineId line,
            @RequestParam(defaultValue = "") List<OrderId> related) {
        if (!rows.containsKey(id.value())) {
            throw new ResponseStatusException(HttpStatus.NOT_FOUND);
        }
        return new TypedOrder(id, line, related);
    }

    @GetMapping("/typed")
    public TypedOrder search(TypedSearch search) {
        return new TypedOrder(search.after(), search.line(), search.among());
    }

    @PostMapping("/typed")
    public TypedOrder same(@RequestBody TypedOrder order) {
        return order;
    }

    /** A type without annotations is an ID wherever an attribute or a parameter is annotated. */
    public record PlainId(long value) {}

    /** An object that has one attribute. */
    public record Placed(@PublicId("order") PlainId order) {}

    @GetMapping("/placed/{id}")
    public Placed placed(
            @PathVariable @PublicId("order") PlainId id,
            @RequestParam(defaultValue = "") @PublicId("order") List<PlainId> among) {
        return new Placed(among.isEmpty() ? id : among.get(0));
    }

    /** A form that has one attribute. */
    public record PlacedForm(@PublicId("order") long order) {}

    @GetMapping("/placed")
    public Placed placed(PlacedForm placed) {
        return new Placed(new PlainId(placed.order()));
    }

    @PostMapping("/placed")
    public Placed samePlaced(@RequestBody Placed placed) {
        return placed;
    }

    @GetMapping("/tickets/{id}")
    public String ticket(@PathVariable @IdText(IdFormat.CROCKFORD) long id) {
        return Long.toString(id);
    }

    @GetMapping("/invoices/{number}")
    public String invoice(@PathVariable @PublicId("invoice") Integer number) {
        if (number == 404) {
            throw new ResponseStatusException(HttpStatus.NOT_FOUND);
        }
        return number.toString();
    }

    @GetMapping("/plain/{id}")
    public String plain(@PathVariable long id) {
        return Long.toString(id);
    }

    @PostMapping("/orders")
    public PublicIdOrder same(@RequestBody PublicIdOrder order) {
        return order;
    }
}
