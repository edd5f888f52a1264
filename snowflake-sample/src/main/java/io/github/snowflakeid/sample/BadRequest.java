package io.github.snowflakeid.sample;

import org.springframework.http.HttpStatus;
import org.springframework.web.server.ResponseStatusException;

/** Thrown for invalid input. Clients see the reason. */
final class BadRequest extends ResponseStatusException {

    private static final long serialVersionUID = 1L;

    BadRequest(String reason) {
        super(HttpStatus.BAD_REQUEST, reason);
    }
}
