package io.github.snowflakeid.servers;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A network link between clients and a server. Subclasses decide what happens to requests and answers. */
public abstract class ServerLink implements AutoCloseable {

    private final ServerSocket listening;
    private final int serverPort;

    /** How often {@link #silence} was called. */
    private final AtomicInteger silences = new AtomicInteger();

    /** @param port where clients connect, or 0 for any port */
    protected ServerLink(int port, int serverPort) {
        this.serverPort = serverPort;
        try {
            listening = new ServerSocket(port, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Subclasses call this when they are complete. */
    protected final void open() {
        start(this::accept);
    }

    public final int port() {
        return listening.getLocalPort();
    }

    /** Silences the connections that are open, without closing them. New connections work. */
    public final void silence() {
        silences.incrementAndGet();
    }

    /** The connection of a client. If a method throws an exception, the connection ends. */
    protected abstract class Connection {

        protected final Socket client;
        private final int silencesBefore = silences.get();

        protected Connection(Socket client) {
            this.client = client;
        }

        protected final boolean isSilenced() {
            return silences.get() != silencesBefore;
        }

        /** Returns what the server gets, or null for nothing. */
        protected byte @Nullable [] request(byte[] data) throws IOException {
            return data;
        }

        /** Returns what the client gets, or null for nothing. */
        protected byte @Nullable [] answer(byte[] data) throws IOException {
            return data;
        }
    }

    protected abstract Connection connection(Socket client);

    @FunctionalInterface
    private interface Task {
        void run() throws IOException;
    }

    @FunctionalInterface
    private interface Transfer {
        byte @Nullable [] apply(byte[] data) throws IOException;
    }

    private static void start(Task task) {
        Thread thread = new Thread(() -> {
            try {
                task.run();
            } catch (IOException e) {
                // Both ends notice.
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() throws IOException {
        while (true) {
            Socket client = listening.accept();
            try {
                Socket server = new Socket(InetAddress.getLoopbackAddress(), serverPort);
                Connection connection = connection(client);
                start(() -> copy(client, server, connection::request));
                start(() -> copy(server, client, connection::answer));
            } catch (IOException e) {
                // While the server is down.
                client.close();
            }
        }
    }

    private static void copy(Socket from, Socket to, Transfer transfer) throws IOException {
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            byte[] buffer = new byte[64 << 10];
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                byte[] data = transfer.apply(Arrays.copyOf(buffer, read));
                if (data != null) {
                    out.write(data);
                    out.flush();
                }
            }
        }
    }

    @Override
    public final void close() throws IOException {
        listening.close();
    }
}
