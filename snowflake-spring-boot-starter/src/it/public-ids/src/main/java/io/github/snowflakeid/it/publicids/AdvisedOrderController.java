package io.github.snowflakeid.it.publicids;

import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

/** The controller of orders with an exception handler of the application. */
@RestController
@RequestMapping("/advised")
public class AdvisedOrderController extends OrderController {

    @ControllerAdvice(assignableTypes = AdvisedOrderController.class)
    static class Advice {

        @ExceptionHandler
        ResponseEntity<String> answer(ResponseStatusException error) {
            return ResponseEntity.status(error.getStatusCode()).body("nothing here");
        }
    }
}
