package io.github.snowflakeid.segment;

import java.time.Duration;
import java.util.function.Consumer;

/** Tells a listener, whatever it throws: that goes to the thread's handler, and numbers go on. */
final class SafeListener implements SegmentListener {

    private final SegmentListener listener;

    SafeListener(SegmentListener listener) {
        this.listener = listener;
    }

    @Override
    public void storeLeftOut(String store, RuntimeException reason) {
        tell(to -> to.storeLeftOut(store, reason));
    }

    @Override
    public void storeTakenBack(String store, Duration away) {
        tell(to -> to.storeTakenBack(store, away));
    }

    @Override
    public void numbersEnded(NumbersUnavailableException reason) {
        tell(to -> to.numbersEnded(reason));
    }

    @Override
    public void numbersFlowAgain(Duration away) {
        tell(to -> to.numbersFlowAgain(away));
    }

    private void tell(Consumer<SegmentListener> event) {
        try {
            event.accept(listener);
        } catch (Throwable ofListener) {
            try {
                Thread current = Thread.currentThread();
                current.getUncaughtExceptionHandler().uncaughtException(current, ofListener);
            } catch (Throwable ofHandler) {
                // Nobody is left to tell.
            }
        }
    }
}
