package io.github.snowflakeid;

import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

/** A thread that requests an ID and can be observed while it waits. */
final class Caller {

    private final FutureTask<Long> task;
    private final Thread thread;

    private Caller(Callable<Long> question) {
        task = new FutureTask<>(question);
        thread = new Thread(task);
    }

    static Caller of(Callable<Long> question) {
        Caller caller = new Caller(question);
        caller.thread.start();
        return caller;
    }

    /** Waits until the thread is asleep. */
    void awaitWaiting() {
        while (thread.getState() != Thread.State.TIMED_WAITING) {
            if (isDone()) {
                throw new AssertionError("did not wait: " + task);
            }
            Thread.onSpinWait();
        }
    }

    boolean isDone() {
        return task.isDone();
    }

    void interrupt() {
        thread.interrupt();
    }

    long id() throws Exception {
        return task.get(60, TimeUnit.SECONDS);
    }

    Throwable failure() throws Exception {
        try {
            throw new AssertionError("did not fail but returned " + id());
        } catch (ExecutionException e) {
            return e.getCause();
        }
    }
}
