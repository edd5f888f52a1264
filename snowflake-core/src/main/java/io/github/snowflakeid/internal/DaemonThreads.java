package io.github.snowflakeid.internal;

import org.jspecify.annotations.Nullable;

/**
 * Starts the threads of this library, which neither keep the process alive nor hold references to objects of a caller.
 */
public final class DaemonThreads {

    private DaemonThreads() {}

    /**
     * Starts a daemon thread that inherits no thread locals.
     *
     * @param name the name of the thread
     * @param body the code that the thread runs
     * @param loader the context class loader of the thread
     * @return the started thread
     */
    public static Thread start(String name, Runnable body, @Nullable ClassLoader loader) {
        boolean inheritsThreadLocals = false;
        Thread thread = new Thread(null, body, name, 0, inheritsThreadLocals);
        thread.setDaemon(true);
        thread.setContextClassLoader(loader);
        thread.start();
        return thread;
    }
}
