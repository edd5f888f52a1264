package io.github.snowflakeid.it.actuator.crac;

/** As {@code jdk.crac.CheckpointException}. */
public class CheckpointException extends Exception {

    private static final long serialVersionUID = 1L;

    CheckpointException(Exception cause) {
        super(cause);
    }
}
