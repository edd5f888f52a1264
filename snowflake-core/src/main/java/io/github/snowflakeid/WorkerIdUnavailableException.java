package io.github.snowflakeid;

/** There is no worker id for this process; the message says why, and what to use instead. */
public final class WorkerIdUnavailableException extends SnowflakeException {

    private static final long serialVersionUID = 1L;

    /**
     * For implementations of {@link io.github.snowflakeid.worker.WorkerIdAssigner}.
     *
     * @param message what was looked for, what was found, and what to do
     */
    public WorkerIdUnavailableException(String message) {
        super(message);
    }
}
