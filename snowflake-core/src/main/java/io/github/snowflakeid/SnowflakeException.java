package io.github.snowflakeid;

/** No id, and why: the common supertype of everything this library throws for reasons other than a bad argument. */
public abstract sealed class SnowflakeException extends RuntimeException
        permits ClockMovedBackwardsException,
                GeneratorClosedException,
                TimestampExhaustedException,
                WorkerIdUnavailableException,
                WorkerLeaseExpiredException {

    private static final long serialVersionUID = 1L;

    SnowflakeException(String message) {
        super(message);
    }
}
