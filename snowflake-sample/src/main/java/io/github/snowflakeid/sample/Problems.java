package io.github.snowflakeid.sample;

import io.github.snowflakeid.SnowflakeException;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.context.request.WebRequest;
import org.springframework.web.servlet.mvc.method.annotation.ResponseEntityExceptionHandler;
import tools.jackson.databind.exc.MismatchedInputException;

/** Responds to errors with problem details (RFC 9457). */
@RestControllerAdvice
class Problems extends ResponseEntityExceptionHandler {

    @Override
    protected @Nullable ResponseEntity<Object> handleHttpMessageNotReadable(
            HttpMessageNotReadableException e, HttpHeaders headers, HttpStatusCode status, WebRequest request) {
        ProblemDetail problem = ProblemDetail.forStatusAndDetail(
                status,
                location(e.getCause())
                        + "The body must be JSON like {\"customer\": \"Ada\", \"lines\": [{\"product\": \"tea\", \"quantity\": 2,"
                        + " \"price\": 4.50}]}");
        return handleExceptionInternal(e, problem, headers, status, request);
    }

    /** Returns the path of the invalid attribute, in the notation of validation messages: {@code lines[0].price}. */
    private static String location(@Nullable Throwable cause) {
        if (!(cause instanceof MismatchedInputException mismatch)
                || mismatch.getPath().isEmpty()) {
            return "";
        }
        return mismatch.getPath().stream()
                        .map(step -> step.getPropertyName() == null
                                ? "[" + step.getIndex() + "]"
                                : "." + step.getPropertyName())
                        .collect(Collectors.joining())
                        .substring(1)
                + " is of the wrong type. ";
    }

    /**
     * Responds with status 503 if no IDs can be generated at the moment, for example because the lease has expired.
     * Clients may retry. Logs the message, which can name tables and servers.
     */
    @ExceptionHandler
    ProblemDetail noIds(SnowflakeException e) {
        logger.warn(e.getMessage());
        return ProblemDetail.forStatusAndDetail(HttpStatus.SERVICE_UNAVAILABLE, "No IDs at the moment.");
    }

    /** Logs the cause, which clients must not see. */
    @ExceptionHandler({CannotCreateTransactionException.class, DataAccessResourceFailureException.class})
    ProblemDetail noDatabase(Exception e) {
        logger.warn("The database is unavailable: " + e);
        return ProblemDetail.forStatusAndDetail(HttpStatus.SERVICE_UNAVAILABLE, "The database does not answer.");
    }
}
