package io.github.snowflakeid.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** Between a client and a server: can lose an answer, after the server has done what it was asked for. */
final class CuttingProxy implements AutoCloseable {

    private final ServerSocket socket = new ServerSocket(0);
    private final int serverPort;
    private final AtomicBoolean cutNext = new AtomicBoolean();
    private final AtomicInteger cuts = new AtomicInteger();

    CuttingProxy(int serverPort) throws IOException {
        this.serverPort = serverPort;
        start(this::accept);
    }

    int port() {
        return socket.getLocalPort();
    }

    /** Instead of the next answer there is the end of the connection. */
    void cutNextAnswer() {
        cutNext.set(true);
    }

    int cuts() {
        return cuts.get();
    }

    private interface Work {
        void run() throws IOException;
    }

    private static void start(Work work) {
        Thread thread = new Thread(() -> {
            try {
                work.run();
            } catch (IOException closed) {
                // Whoever uses it notices.
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() throws IOException {
        while (true) {
            Socket client = socket.accept();
            Socket server = new Socket("localhost", serverPort);
            start(() -> copy(client, server, false));
            start(() -> copy(server, client, true));
        }
    }

    private void copy(Socket from, Socket to, boolean answers) throws IOException {
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            byte[] buffer = new byte[64 << 10];
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                if (answers && cutNext.compareAndSet(true, false)) {
                    cuts.incrementAndGet();
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
