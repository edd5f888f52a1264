package io.github.snowflakeid.servers;

import java.io.IOException;
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
import org.jspecify.annotations.Nullable;

/**
 * A link to a server that answers by HTTP. It delays and loses answers, and can change the clock of the server. A
 * silenced connection loses its answers.
 */
public final class HttpLink extends ServerLink {

    private static final Pattern DATE = Pattern.compile("Date: ([^\r]*)");
    private static final DateTimeFormatter FORMAT = DateTimeFormatter.ofPattern(
                    "EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.US)
            .withZone(ZoneOffset.UTC);

    /** The longest delay of an answer, in milliseconds. */
    public volatile int delay;

    /** How many of 1,000 answers are lost, with their connection. */
    public volatile int losses;

    private final AtomicInteger answers = new AtomicInteger();

    /** The number of the answer that is lost. */
    private volatile int lost = -1;

    /** How far the clock of the server seems to be ahead. */
    public volatile Duration ahead = Duration.ZERO;

    public HttpLink(int port) {
        super(0, port);
        open();
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

    public boolean isLost() {
        return answers.get() > lost;
    }

    @Override
    protected Connection connection(Socket client) {
        return new Connection(client) {
            @Override
            protected byte @Nullable [] answer(byte[] data) throws IOException {
                if (isSilenced()) {
                    return null;
                }
                if (answers.getAndIncrement() == lost
                        || ThreadLocalRandom.current().nextInt(1000) < losses) {
                    throw new IOException("lost by a test");
                }
                if (delay > 0) {
                    ServerProcess.sleep(ThreadLocalRandom.current().nextInt(delay));
                }
                return ahead.isZero() ? data : dated(data);
            }
        };
    }

    private byte[] dated(byte[] answer) {
        return DATE.matcher(new String(answer, StandardCharsets.ISO_8859_1))
                .replaceFirst(date -> "Date: "
                        + FORMAT.format(
                                Instant.from(FORMAT.parse(date.group(1))).plus(ahead)))
                .getBytes(StandardCharsets.ISO_8859_1);
    }
}
