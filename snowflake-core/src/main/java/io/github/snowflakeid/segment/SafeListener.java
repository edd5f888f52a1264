package io.github.snowflakeid.segment;

import io.github.snowflakeid.internal.SafeCall;
import java.time.Duration;
import java.util.function.Consumer;

/** Calls a listener and survives whatever it throws, so that numbers continue. */
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
        SafeCall.run(() -> event.accept(listener));
    }
}
