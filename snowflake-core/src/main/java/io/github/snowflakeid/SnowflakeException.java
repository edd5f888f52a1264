package io.github.snowflakeid;

import io.github.snowflakeid.segment.NumbersUnavailableException;

/** No id, and why: the common supertype of everything this library throws for reasons other than a bad argument. */
public abstract sealed class SnowflakeException extends RuntimeException
        permits ClockMovedBackwardsException,
                GeneratorClosedException,
                NumbersUnavailableException,
                TimestampExhaustedException,
                WorkerIdUnavailableException,
                WorkerLeaseExpiredException {

    private static final long serialVersionUID = 1L;

    /**
     * Makes an exception.
     *
     * @param message what was refused, why, and what to do
     */
    protected SnowflakeException(String message) {
        super(message);
    }
}
