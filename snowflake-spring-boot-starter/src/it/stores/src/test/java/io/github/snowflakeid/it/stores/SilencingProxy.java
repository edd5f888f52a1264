package io.github.snowflakeid.it.stores;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicInteger;

/** A proxy between clients and a server that can silence open connections, while new connections work. */
final class SilencingProxy implements AutoCloseable {

    private final ServerSocket socket = new ServerSocket(0);
    private final AtomicInteger silenced = new AtomicInteger();
    private final int serverPort;

    SilencingProxy(int serverPort) throws IOException {
        this.serverPort = serverPort;
        start(this::accept);
    }

    int port() {
        return socket.getLocalPort();
    }

    /** Open connections stay open, but transfer nothing anymore. */
    void silenceConnections() {
        silenced.incrementAndGet();
    }

    private interface Work {
        void run() throws IOException;
    }

    private static void start(Work work) {
        Thread thread = new Thread(() -> {
            try {
                work.run();
            } catch (IOException e) {
                // The other end notices.
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() throws IOException {
        while (true) {
            Socket client = socket.accept();
            Socket server = new Socket(InetAddress.getLoopbackAddress(), serverPort);
            int before = silenced.get();
            start(() -> copy(client, server, before));
            start(() -> copy(server, client, before));
        }
    }

    private void copy(Socket from, Socket to, int before) throws IOException {
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            byte[] buffer = new byte[8192];
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                if (silenced.get() == before) {
                    out.write(buffer, 0, read);
                }
            }
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
