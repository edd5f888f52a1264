package io.github.snowflakeid.it;

import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

/** Orders whose errors the application answers itself. */
@RestController
@RequestMapping("/advised")
public class AdvisedOrders extends Orders {

    @ControllerAdvice(assignableTypes = AdvisedOrders.class)
    static class Advice {

        @ExceptionHandler
        ResponseEntity<String> answer(ResponseStatusException error) {
            return ResponseEntity.status(error.getStatusCode()).body("nothing here");
        }
    }
}
