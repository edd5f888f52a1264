package io.github.snowflakeid.sample;

import org.springframework.http.HttpStatus;
import org.springframework.web.server.ResponseStatusException;

/** Input that is not as it must be; the reason is for whoever sent it. */
final class BadRequest extends ResponseStatusException {

    private static final long serialVersionUID = 1L;

    BadRequest(String reason) {
        super(HttpStatus.BAD_REQUEST, reason);
    }
}
