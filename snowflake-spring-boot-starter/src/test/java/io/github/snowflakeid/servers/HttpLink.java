package io.github.snowflakeid.servers;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;

/**
 * A network link to a server that answers by HTTP. It delays and loses answers, and can change the clock of the server.
 */
public final class HttpLink implements AutoCloseable {

    private static final Pattern DATE = Pattern.compile("Date: ([^\r]*)");
    private static final DateTimeFormatter FORMAT = DateTimeFormatter.ofPattern(
                    "EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.US)
            .withZone(ZoneOffset.UTC);

    private final ServerSocket listening;
    private final int port;

    /** The longest delay of an answer, in milliseconds. */
    public volatile int delay;

    /** How many of 1,000 answers are lost, with their connection. */
    public volatile int losses;

    private final AtomicInteger answers = new AtomicInteger();

    /** The number of the answer that is lost. */
    private volatile int lost = -1;

    /** How often {@link #silence} was called. */
    private final AtomicInteger silences = new AtomicInteger();

    /** How far the clock of the server seems to be ahead. */
    public volatile Duration ahead = Duration.ZERO;

    public HttpLink(int port) {
        this.port = port;
        try {
            listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        start(this::accept);
    }

    public int port() {
        return listening.getLocalPort();
    }

    /** Returns the number of answers so far. */
    public int answers() {
        return answers.get();
    }

    public void forgetAnswers() {
        answers.set(0);
        lost = -1;
    }

    /** Loses one answer, after a number of others. */
    public void loseAnswerAfter(int others) {
        lost = answers.get() + others;
    }

    /** Loses all answers on the connections that are open, without closing them. */
    public void silence() {
        silences.incrementAndGet();
    }

    public boolean isLost() {
        return answers.get() > lost;
    }

    @FunctionalInterface
    private interface Task {
        void run() throws IOException;
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
                Socket server = new Socket(InetAddress.getLoopbackAddress(), port);
                start(() -> requests(client, server));
                start(() -> answers(client, server));
            } catch (IOException e) {
                client.close();
            }
        }
    }

    private static void requests(Socket client, Socket server) throws IOException {
        try (client;
                server) {
            client.getInputStream().transferTo(server.getOutputStream());
        }
    }

    private void answers(Socket client, Socket server) throws IOException {
        try (client;
                server) {
            InputStream in = server.getInputStream();
            OutputStream out = client.getOutputStream();
            byte[] buffer = new byte[1 << 16];
            int silencesBefore = silences.get();
            for (int read = in.read(buffer); read > 0; read = in.read(buffer)) {
                if (silences.get() != silencesBefore) {
                    continue;
                }
                if (answers.getAndIncrement() == lost
                        || ThreadLocalRandom.current().nextInt(1000) < losses) {
                    return;
                }
                if (delay > 0) {
                    ServerProcess.sleep(ThreadLocalRandom.current().nextInt(delay));
                }
                String text = new String(buffer, 0, read, StandardCharsets.ISO_8859_1);
                if (!ahead.isZero()) {
                    text = DATE.matcher(text)
                            .replaceFirst(date -> "Date: "
                                    + FORMAT.format(Instant.from(FORMAT.parse(date.group(1)))
                                            .plus(ahead)));
                }
                out.write(text.getBytes(StandardCharsets.ISO_8859_1));
                out.flush();
            }
        }
    }

    @Override
    public void close() throws IOException {
        listening.close();
    }
}
