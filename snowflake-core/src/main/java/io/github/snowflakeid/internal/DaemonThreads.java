package io.github.snowflakeid.internal;

import org.jspecify.annotations.Nullable;

/** Threads of this library, which keep neither the process alive nor anything that belongs to a caller. */
public final class DaemonThreads {

    private DaemonThreads() {}

    /**
     * Starts a daemon thread that inherits no thread locals.
     *
     * @param name the name of the thread
     * @param body what the thread runs
     * @param loader the context class loader of the thread
     * @return the thread, which runs
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
