package io.github.snowflakeid.it.publicids;

import io.github.snowflakeid.publicid.PublicId;
import org.springframework.web.bind.annotation.CookieValue;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.MatrixVariable;
import org.springframework.web.bind.annotation.RestController;

/** Takes IDs from the rarer parts of a request. */
@RestController
public class ParameterController {

    @GetMapping("/cookie")
    public String cookie(@CookieValue @PublicId("order") long id) {
        return Long.toString(id);
    }

    @GetMapping("/matrix/{any}")
    public String matrix(@MatrixVariable @PublicId("order") long id) {
        return Long.toString(id);
    }
}
