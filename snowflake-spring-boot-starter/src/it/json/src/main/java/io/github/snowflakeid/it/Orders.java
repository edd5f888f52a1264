package io.github.snowflakeid.it;

import io.github.snowflakeid.IdGenerator;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

@RestController
class Orders {

    private final IdGenerator ids;

    Orders(IdGenerator ids) {
        this.ids = ids;
    }

    @PostMapping("/orders")
    Order same(@RequestBody Order order) {
        return order;
    }

    @PostMapping("/tickets/{name}")
    Ticket made(@PathVariable String name) {
        Ticket ticket = new Ticket();
        ticket.setName(name);
        ticket.setId(ids.nextId());
        return ticket;
    }
}
