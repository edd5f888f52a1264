package io.github.snowflakeid.internal;

/** Calls of listeners that users wrote. */
public final class SafeCall {

    private SafeCall() {}

    /**
     * Calls a listener and survives whatever it throws: the thread's handler of uncaught exceptions gets that.
     *
     * @param call calls the listener
     */
    public static void run(Runnable call) {
        try {
            call.run();
        } catch (Throwable e) {
            try {
                Thread current = Thread.currentThread();
                current.getUncaughtExceptionHandler().uncaughtException(current, e);
            } catch (Throwable ofHandler) {
                // There is nobody left to tell.
            }
        }
    }
}
