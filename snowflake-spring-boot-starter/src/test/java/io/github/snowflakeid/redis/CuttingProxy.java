package io.github.snowflakeid.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A proxy between a client and a server. It can drop an answer after the server has executed the request, and it can
 * make connections stop responding.
 */
public final class CuttingProxy implements AutoCloseable {

    private final ServerSocket socket;
    private final int serverPort;
    private final AtomicBoolean reset = new AtomicBoolean();
    private final AtomicReference<@Nullable String> cutAnswerWith = new AtomicReference<>();
    private final AtomicInteger cuts = new AtomicInteger();
    private final AtomicInteger silenced = new AtomicInteger();

    public CuttingProxy(int serverPort) throws IOException {
        this(0, serverPort);
    }

    /** @param port the port of the proxy */
    CuttingProxy(int port, int serverPort) throws IOException {
        socket = new ServerSocket(port);
        this.serverPort = serverPort;
        start(this::accept);
    }

    public int port() {
        return socket.getLocalPort();
    }

    /** Closes the connection in place of the next answer that contains the text, or whose request contains it. */
    public void cutAnswerWith(String text) {
        cutAnswerWith.set(text);
    }

    /** Keeps existing connections open, but transfers nothing on them any more. New connections work. */
    public void silenceConnections() {
        silenced.incrementAndGet();
    }

    /** Like {@link #cutAnswerWith}, but resets the connection, like a firewall that no longer knows it. */
    void resetAtAnswerWith(String text) {
        reset.set(true);
        cutAnswerWith(text);
    }

    public int cuts() {
        return cuts.get();
    }

    private interface Work {
        void run() throws IOException;
    }

    private static void start(Work work) {
        Thread thread = new Thread(() -> {
            try {
                work.run();
            } catch (IOException e) {
                // Its user notices.
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() throws IOException {
        while (true) {
            Socket client = socket.accept();
            Socket server = connect(client);
            if (server == null) {
                continue;
            }
            AtomicBoolean cutHere = new AtomicBoolean();
            int silencedBefore = silenced.get();
            start(() -> copy(client, server, false, cutHere, silencedBefore));
            start(() -> copy(server, client, true, cutHere, silencedBefore));
        }
    }

    /** A client that connects while the server is down gets no connection. */
    private @Nullable Socket connect(Socket client) throws IOException {
        try {
            return new Socket("localhost", serverPort);
        } catch (IOException e) {
            client.close();
            return null;
        }
    }

    private void copy(Socket from, Socket to, boolean answers, AtomicBoolean cutHere, int silencedBefore)
            throws IOException {
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            byte[] buffer = new byte[64 << 10];
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                if (silenced.get() != silencedBefore) {
                    continue;
                }
                String text = cutAnswerWith.get();
                if (text != null
                        && new String(buffer, 0, read, StandardCharsets.ISO_8859_1).contains(text)
                        && cutAnswerWith.compareAndSet(text, null)) {
                    cutHere.set(true);
                }
                if (answers && cutHere.get()) {
                    cuts.incrementAndGet();
                    to.setSoLinger(reset.getAndSet(false), 0);
                    return;
                }
                out.write(buffer, 0, read);
                out.flush();
            }
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
