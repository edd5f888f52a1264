package io.github.snowflakeid.it;

import io.github.snowflakeid.text.InvalidPublicIdException;
import io.github.snowflakeid.text.PublicIds;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

/** Labels on parcels: the number of the parcel, a colon, and the public id of its order. */
@RestController
public class Labels {

    private final PublicIds publicIds;
    private final Orders orders;

    Labels(PublicIds publicIds) {
        this.publicIds = publicIds;
        orders = new Orders();
    }

    @GetMapping("/labels/{label}")
    public String product(@PathVariable String label) {
        return orders.product(orderOf(label.substring(label.indexOf(':') + 1)));
    }

    private long orderOf(String text) {
        try {
            return publicIds.decode("order", text);
        } catch (InvalidPublicIdException unknown) {
            throw new ResponseStatusException(HttpStatus.NOT_FOUND);
        }
    }
}
