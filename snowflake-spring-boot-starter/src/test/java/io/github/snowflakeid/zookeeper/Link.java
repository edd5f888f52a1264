package io.github.snowflakeid.zookeeper;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;

/**
 * A network link to a server that parses ZooKeeper's packets. Each packet begins with its length. A client's packet
 * continues with a number, which the answer repeats, the kind of request, and usually a path.
 */
final class Link implements AutoCloseable {

    /** The fate of a request. */
    enum Fate {
        /** Request and answer are transferred. */
        PASSES,
        /** The connection breaks before the request is transferred. */
        IS_LOST,
        /** The request is transferred, but the connection breaks before the answer is. */
        LOSES_ITS_ANSWER,
        /** The request is transferred after {@link #letGo}. */
        IS_LATE
    }

    /** A request. */
    record Request(int kind, String path) {

        private static final int CREATE = 1;
        private static final int SET_DATA = 5;
        private static final int CREATE_2 = 15;

        boolean creates(String name) {
            return (kind == CREATE || kind == CREATE_2) && path.endsWith(name);
        }

        boolean writes(String name) {
            return kind == SET_DATA && path.endsWith(name);
        }
    }

    private final ServerSocket listening;
    private final int port;
    private final CountDownLatch goes = new CountDownLatch(1);
    private final CountDownLatch held = new CountDownLatch(1);
    private volatile Function<Request, Fate> fates = request -> Fate.PASSES;

    Link(int port) throws IOException {
        this.port = port;
        listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        start(this::accept);
    }

    String connectString() {
        return "127.0.0.1:" + listening.getLocalPort();
    }

    /** Applies a fate to the first matching request. Other requests pass. */
    void once(Function<Request, Fate> meant) {
        fates = request -> {
            Fate fate = meant.apply(request);
            if (fate != Fate.PASSES) {
                fates = other -> Fate.PASSES;
            }
            return fate;
        };
    }

    void awaitLate() throws InterruptedException {
        held.await();
    }

    void letGo() {
        goes.countDown();
    }

    private static void start(Task task) {
        Thread thread = new Thread(() -> {
            try {
                task.run();
            } catch (IOException | InterruptedException e) {
                // Both ends notice.
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    @FunctionalInterface
    private interface Task {
        void run() throws IOException, InterruptedException;
    }

    private void accept() throws IOException {
        while (true) {
            Socket client = listening.accept();
            Socket server = new Socket(InetAddress.getLoopbackAddress(), port);
            Connection connection = new Connection(client, server);
            start(connection::requests);
            start(connection::answers);
        }
    }

    /** The connection of one client. */
    private final class Connection {

        private final Socket client;
        private final Socket server;
        private volatile int withoutAnswer = Integer.MIN_VALUE;

        Connection(Socket client, Socket server) {
            this.client = client;
            this.server = server;
        }

        void requests() throws IOException, InterruptedException {
            try (client;
                    server) {
                DataInputStream in = new DataInputStream(client.getInputStream());
                DataOutputStream out = new DataOutputStream(server.getOutputStream());
                pass(packet(in), out);
                while (true) {
                    byte[] packet = packet(in);
                    Fate fate = fates.apply(request(packet));
                    if (fate == Fate.IS_LOST) {
                        return;
                    }
                    if (fate == Fate.LOSES_ITS_ANSWER) {
                        withoutAnswer = ByteBuffer.wrap(packet).getInt();
                    }
                    if (fate == Fate.IS_LATE) {
                        held.countDown();
                        goes.await();
                    }
                    pass(packet, out);
                }
            }
        }

        void answers() throws IOException {
            try (client;
                    server) {
                DataInputStream in = new DataInputStream(server.getInputStream());
                DataOutputStream out = new DataOutputStream(client.getOutputStream());
                pass(packet(in), out);
                while (true) {
                    byte[] packet = packet(in);
                    if (ByteBuffer.wrap(packet).getInt() == withoutAnswer) {
                        return;
                    }
                    pass(packet, out);
                }
            }
        }

        private static byte[] packet(DataInputStream in) throws IOException {
            byte[] packet = new byte[in.readInt()];
            in.readFully(packet);
            return packet;
        }

        private static void pass(byte[] packet, DataOutputStream out) throws IOException {
            ByteBuffer framed = ByteBuffer.allocate(Integer.BYTES + packet.length);
            out.write(framed.putInt(packet.length).put(packet).array());
            out.flush();
        }

        private static Request request(byte[] packet) {
            ByteBuffer in = ByteBuffer.wrap(packet);
            in.getInt();
            int kind = in.getInt();
            int length = in.remaining() < Integer.BYTES ? 0 : in.getInt();
            if (length <= 0 || length > in.remaining()) {
                return new Request(kind, "");
            }
            byte[] path = new byte[length];
            in.get(path);
            return new Request(kind, new String(path, StandardCharsets.UTF_8));
        }
    }

    @Override
    public void close() throws IOException {
        goes.countDown();
        listening.close();
    }
}
