package io.github.snowflakeid.segment;

import io.github.snowflakeid.segment.NumbersUnavailableException.Reason;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Asks the stores: for a segment, again and again until there is one, and for those that are left out, whether they answer. Does so
 * in the background, holding no lock. Whom the segments are for decides when, and for how long.
 */
final class Prefetcher {

    private static final long SHORTEST_PAUSE_NANOS = 50_000_000;
    private static final long LONGEST_PAUSE_NANOS = 1_000_000_000;

    /** Whom segments are for. Each method returns soon. */
    interface Recipient {

        /** How many numbers to take now. */
        long step();

        /**
         * A segment is there.
         *
         * @return whether it is wanted
         */
        boolean arrived(Segment segment, long nanos);

        /**
         * No store gave a segment.
         *
         * @return whether to try again
         */
        boolean failed(RuntimeException reason);

        /** The fetch is over, and so is what it has told others. */
        void over();

        /**
         * Lets time pass.
         *
         * @return whether to go on afterwards
         */
        boolean pause(long nanos);
    }

    private final String name;
    private final StoreRotation counters;
    private final LongSupplier nanos;
    private final Executor background;
    private final AtomicBoolean looking = new AtomicBoolean();

    Prefetcher(String name, StoreRotation counters, LongSupplier nanos, Executor background) {
        this.name = name;
        this.counters = counters;
        this.nanos = nanos;
        this.background = background;
    }

    /** Begins to ask for a segment. */
    void begin(Recipient recipient) {
        background.execute(() -> {
            try {
                fetch(recipient);
            } finally {
                recipient.over();
            }
        });
    }

    private void fetch(Recipient recipient) {
        long pause = SHORTEST_PAUSE_NANOS;
        // Once: an outage tells nothing of how many numbers are needed.
        long step = recipient.step();
        while (true) {
            try {
                take(recipient, step);
                return;
            } catch (RuntimeException e) {
                if (!recipient.failed(e) || !recipient.pause(pause)) {
                    return;
                }
            }
            pause = Math.min(2 * pause, LONGEST_PAUSE_NANOS);
        }
    }

    private void take(Recipient recipient, long step) {
        long began = nanos.getAsLong();
        Segment segment = counters.take(step);
        if (recipient.arrived(segment, nanos.getAsLong() - began)) {
            look(recipient);
        } else {
            giveBack(segment, 0);
            counters.closeIdleConnections();
        }
    }

    /** Asks stores that are left out, until none is. They may take their time: others give numbers meanwhile. */
    private void look(Recipient recipient) {
        if (counters.isAnyLeftOut() && looking.compareAndSet(false, true)) {
            try {
                background.execute(() -> lookUntilAllAnswer(recipient));
            } catch (RuntimeException | Error e) {
                // After the next segment, then.
                looking.set(false);
            }
        }
    }

    private void lookUntilAllAnswer(Recipient recipient) {
        boolean goesOn = true;
        try {
            do {
                counters.lookAtLeftOut();
            } while (counters.isAnyLeftOut() && recipient.pause(LONGEST_PAUSE_NANOS));
        } catch (NumbersUnavailableException e) {
            goesOn = recipient.failed(e);
        } finally {
            looking.set(false);
        }
        if (goesOn && recipient.pause(0)) {
            // One may have been left out before it was said that nobody looks.
            look(recipient);
        } else {
            counters.closeIdleConnections();
        }
    }

    /**
     * Looks at all stores, and waits for the first segment, which the recipient gets.
     *
     * @throws NumbersUnavailableException if there is none within that time, or a store has another counter of this name
     */
    void first(Recipient recipient, Duration atMost) {
        undisturbed(() -> takeWithin(recipient, atMost));
    }

    private void takeWithin(Recipient recipient, Duration atMost) {
        long start = nanos.getAsLong();
        long step = recipient.step();
        while (true) {
            try {
                counters.open();
                take(recipient, step);
                return;
            } catch (NumbersUnavailableException e) {
                throw e;
            } catch (RuntimeException e) {
                long left = atMost.toNanos() - (nanos.getAsLong() - start);
                if (left <= 0) {
                    throw new NumbersUnavailableException(
                            Reason.STORE_UNREACHABLE,
                            "No store gave numbers of '%s' within %d ms (%s)"
                                    .formatted(name, atMost.toMillis(), e.getMessage()),
                            e);
                }
                LockSupport.parkNanos(Math.min(left, SHORTEST_PAUSE_NANOS));
            }
        }
    }

    /**
     * Gives back what was not issued, if no process has taken numbers since. Where the store does not answer, they are wasted, as
     * after a kill.
     */
    void giveBack(@Nullable Segment segment, long from) {
        undisturbed(() -> {
            try {
                if (segment != null) {
                    counters.giveBack(segment, from);
                }
            } catch (RuntimeException | Error e) {
                // Nobody can do anything about it.
            }
        });
    }

    /** Stores give nothing to a thread that is interrupted, and take nothing back. So the interrupt comes afterwards. */
    private static void undisturbed(Runnable body) {
        boolean interrupted = Thread.interrupted();
        try {
            body.run();
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
