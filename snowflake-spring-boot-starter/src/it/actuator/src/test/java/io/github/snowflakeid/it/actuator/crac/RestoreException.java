package io.github.snowflakeid.it.actuator.crac;

/** Stands for {@code jdk.crac.RestoreException}. */
public class RestoreException extends Exception {

    private static final long serialVersionUID = 1L;

    RestoreException(Exception cause) {
        super(cause);
    }
}
