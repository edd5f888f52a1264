package io.github.snowflakeid.it.actuator;

import io.github.snowflakeid.json.IdAsString;
import io.github.snowflakeid.publicid.PublicId;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Receives and returns IDs as text, in requests and in JSON. */
@RestController
public class ReceiptController {

    public record Receipt(
            @PublicId("receipt") long id, @IdAsString long ticket) {}

    @GetMapping("/receipts")
    public Receipt of(@RequestParam long ticket) {
        return new Receipt(ticket, ticket);
    }

    @GetMapping("/receipts/{id}")
    public Receipt receipt(@PathVariable @PublicId("receipt") long id) {
        return new Receipt(id, id);
    }
}
