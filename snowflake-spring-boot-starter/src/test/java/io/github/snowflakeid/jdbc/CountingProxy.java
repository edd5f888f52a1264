package io.github.snowflakeid.jdbc;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A proxy between clients and a server, which counts how often a client sends something and then waits for the answer.
 */
final class CountingProxy implements AutoCloseable {

    private static final String BEGIN = "Q\0\0\0\nBEGIN\0";

    private final ServerSocket socket = new ServerSocket(0);
    private final int serverPort;
    private final AtomicInteger roundTrips = new AtomicInteger();

    CountingProxy(int serverPort) throws IOException {
        this.serverPort = serverPort;
        start(this::accept);
    }

    int port() {
        return socket.getLocalPort();
    }

    int roundTrips() {
        return roundTrips.get();
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
            Socket server = new Socket("localhost", serverPort);
            AtomicBoolean isAsking = new AtomicBoolean();
            start(() -> copy(client, server, true, isAsking));
            start(() -> copy(server, client, false, isAsking));
        }
    }

    private void copy(Socket from, Socket to, boolean asks, AtomicBoolean isAsking) throws IOException {
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            byte[] buffer = new byte[64 << 10];
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                // An answer counts, not the request: the client sends its farewell without waiting for an answer.
                if (!asks && isAsking.getAndSet(false)) {
                    roundTrips.incrementAndGet();
                }
                if (asks && !isBegin(buffer, read)) {
                    isAsking.set(true);
                }
                out.write(buffer, 0, read);
                out.flush();
            }
        }
    }

    /** PostgreSQL's driver sends the next statement without waiting for the beginning of the transaction. */
    private static boolean isBegin(byte[] buffer, int length) {
        return length == BEGIN.length() && new String(buffer, 0, length, StandardCharsets.ISO_8859_1).equals(BEGIN);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
