package io.github.snowflakeid.internal;

/** Calls listeners of users without letting their exceptions stop a thread of this library. */
public final class SafeCall {

    private SafeCall() {}

    /**
     * Calls a listener. If it throws an exception or an error, the handler for uncaught exceptions of the current
     * thread gets it, and this method returns normally.
     *
     * @param call the call to the listener
     */
    public static void run(Runnable call) {
        try {
            call.run();
        } catch (Throwable e) {
            try {
                Thread current = Thread.currentThread();
                current.getUncaughtExceptionHandler().uncaughtException(current, e);
            } catch (Throwable inHandler) {
                // The handler itself failed, so nothing is left to report the exception to.
            }
        }
    }
}
