package io.github.snowflakeid.redis;

import io.github.snowflakeid.servers.ServerLink;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Can drop an answer after the server has executed the request, and can make connections transfer nothing anymore.
 */
public final class CuttingProxy extends ServerLink {

    private final AtomicBoolean reset = new AtomicBoolean();
    private final AtomicReference<@Nullable String> cutAnswerWith = new AtomicReference<>();
    private final AtomicInteger cuts = new AtomicInteger();

    public CuttingProxy(int serverPort) {
        this(0, serverPort);
    }

    /** @param port the port of the proxy */
    CuttingProxy(int port, int serverPort) {
        super(port, serverPort);
        open();
    }

    /** Closes the connection in place of the next answer that contains the text, or whose request contains it. */
    public void cutAnswerWith(String text) {
        cutAnswerWith.set(text);
    }

    /** Like {@link #cutAnswerWith}, but resets the connection, like a firewall that no longer knows it. */
    void resetAtAnswerWith(String text) {
        reset.set(true);
        cutAnswerWith(text);
    }

    public int cuts() {
        return cuts.get();
    }

    @Override
    protected Connection connection(Socket client) {
        AtomicBoolean cutHere = new AtomicBoolean();
        return new Connection(client) {

            @Override
            protected byte @Nullable [] request(byte[] data) {
                look(data);
                return isSilenced() ? null : data;
            }

            @Override
            protected byte @Nullable [] answer(byte[] data) throws IOException {
                look(data);
                if (!isSilenced() && cutHere.get()) {
                    cuts.incrementAndGet();
                    client.setSoLinger(reset.getAndSet(false), 0);
                    throw new IOException("cut by a test");
                }
                return isSilenced() ? null : data;
            }

            private void look(byte[] data) {
                String text = cutAnswerWith.get();
                if (!isSilenced()
                        && text != null
                        && new String(data, StandardCharsets.ISO_8859_1).contains(text)
                        && cutAnswerWith.compareAndSet(text, null)) {
                    cutHere.set(true);
                }
            }
        };
    }
}
