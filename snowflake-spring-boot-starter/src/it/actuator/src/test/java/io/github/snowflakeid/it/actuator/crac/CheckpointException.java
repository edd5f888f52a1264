package io.github.snowflakeid.it.actuator.crac;

/** Stands for {@code jdk.crac.CheckpointException}. */
public class CheckpointException extends Exception {

    private static final long serialVersionUID = 1L;

    CheckpointException(Exception cause) {
        super(cause);
    }
}
