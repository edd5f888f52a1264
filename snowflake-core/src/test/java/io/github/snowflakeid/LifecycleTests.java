package io.github.snowflakeid;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One thread at a time opens or closes a generator. */
@Timeout(60)
class LifecycleTests {

    private final Lifecycle lifecycle = new Lifecycle();

    /** Returns whether another thread could lock to close, once it has tried. */
    private CompletableFuture<Boolean> closing(boolean mayWait) {
        return CompletableFuture.supplyAsync(() -> {
            boolean locked = lifecycle.lockToClose(mayWait);
            if (locked) {
                lifecycle.unlock();
            }
            return locked;
        });
    }

    private void awaitCancelled() throws InterruptedException {
        while (!lifecycle.isCancelled()) {
            TimeUnit.MILLISECONDS.sleep(1);
        }
    }

    /** Otherwise, it could close a generator that the closing thread has opened again. */
    @Test
    void threadThatOpensDoesNotCloseOnBehalfOfAThreadThatCanWait() throws Exception {
        lifecycle.lockToOpen(true);
        CompletableFuture<Boolean> closer = closing(true);
        awaitCancelled();

        assertThat(lifecycle.opened()).isTrue();
        lifecycle.unlock();
        assertThat(closer.join()).isTrue();
        assertThat(lifecycle.isCancelled()).isFalse();
    }

    @Test
    void threadThatOpensClosesOnBehalfOfAListenerWhileItStillHoldsTheLock() {
        lifecycle.lockToOpen(true);
        assertThat(closing(false).join()).isFalse();

        assertThat(lifecycle.isCancelled()).isTrue();
        assertThat(lifecycle.opened()).isFalse();
        assertThat(lifecycle.lockToClose(true)).isTrue();
        lifecycle.unlock();
        lifecycle.unlock();
        assertThat(lifecycle.isCancelled()).isFalse();
    }

    @Test
    void listenerLeavesTheRestToAThreadThatIsClosing() {
        assertThat(lifecycle.lockToClose(true)).isTrue();
        assertThat(closing(false).join()).isFalse();
        lifecycle.unlock();

        lifecycle.lockToOpen(true);
        assertThat(lifecycle.isCancelled()).isFalse();
        assertThat(lifecycle.opened()).isTrue();
        lifecycle.unlock();
    }
}
