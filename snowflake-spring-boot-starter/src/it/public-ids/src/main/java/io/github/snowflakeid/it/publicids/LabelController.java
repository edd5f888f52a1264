package io.github.snowflakeid.it.publicids;

import io.github.snowflakeid.text.InvalidPublicIdException;
import io.github.snowflakeid.text.PublicIds;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

/** Reads labels of parcels: the number of the parcel, a colon and the public ID of its order. */
@RestController
public class LabelController {

    private final PublicIds publicIds;
    private final OrderController orders;

    LabelController(PublicIds publicIds) {
        this.publicIds = publicIds;
        orders = new OrderController();
    }

    @GetMapping("/labels/{label}")
    public String product(@PathVariable String label) {
        return orders.product(orderOf(label.substring(label.indexOf(':') + 1)));
    }

    private long orderOf(String text) {
        try {
            return publicIds.decode("order", text);
        } catch (InvalidPublicIdException e) {
            throw new ResponseStatusException(HttpStatus.NOT_FOUND);
        }
    }
}
