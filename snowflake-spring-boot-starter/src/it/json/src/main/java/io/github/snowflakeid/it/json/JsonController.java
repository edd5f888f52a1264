package io.github.snowflakeid.it.json;

import io.github.snowflakeid.IdGenerator;
import io.github.snowflakeid.json.IdAsString;
import io.github.snowflakeid.publicid.PublicId;
import io.swagger.v3.oas.annotations.Hidden;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Schema;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@RestController
class JsonController {

    private final IdGenerator ids;

    JsonController(IdGenerator ids) {
        this.ids = ids;
    }

    @PostMapping("/orders")
    JsonOrder same(@RequestBody JsonOrder order) {
        return order;
    }

    @IdAsString
    record CustomerId(long value) {}

    @GetMapping("/customers/{id}")
    CustomerId customer(@PathVariable CustomerId id, @RequestParam @IdAsString long order, @RequestParam long count) {
        return id;
    }

    record Examples(
            @Schema(example = "1541815603606036481") @IdAsString
            long id,

            @Schema(example = "1541815603606036481") CustomerId customer,
            @Schema(example = "3") int count) {}

    @GetMapping("/examples/{id}")
    Examples examples(
            @PathVariable @Parameter(example = "1541815603606036481") CustomerId id,
            @RequestParam @Parameter(example = "1541815603606036481") @IdAsString long order,
            @RequestParam @Parameter(example = "3") int count) {
        return new Examples(order, id, count);
    }

    record Seat(@PublicId("seat") long id, String name) {}

    @GetMapping("/seats/{id}")
    @Hidden
    Seat seat(@PathVariable long id) {
        return new Seat(id, "window");
    }

    @PostMapping("/seats")
    @Hidden
    long read(@RequestBody Seat seat) {
        return seat.id();
    }

    @PostMapping("/tickets/{name}")
    JsonTicket made(@PathVariable String name) {
        JsonTicket ticket = new JsonTicket();
        ticket.setName(name);
        ticket.setId(ids.nextId());
        return ticket;
    }
}
