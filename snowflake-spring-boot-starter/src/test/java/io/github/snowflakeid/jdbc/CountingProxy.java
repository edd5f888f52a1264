package io.github.snowflakeid.jdbc;

import io.github.snowflakeid.servers.ServerLink;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts how often a client sends something and then waits for the answer. */
final class CountingProxy extends ServerLink {

    private static final String BEGIN = "Q\0\0\0\nBEGIN\0";

    private final AtomicInteger roundTrips = new AtomicInteger();

    CountingProxy(int serverPort) {
        super(0, serverPort);
        open();
    }

    int roundTrips() {
        return roundTrips.get();
    }

    @Override
    protected Connection connection(Socket client) {
        AtomicBoolean isAsking = new AtomicBoolean();
        return new Connection(client) {

            /** PostgreSQL's driver sends the next statement without waiting for the beginning of the transaction. */
            @Override
            protected byte[] request(byte[] data) {
                if (!new String(data, StandardCharsets.ISO_8859_1).equals(BEGIN)) {
                    isAsking.set(true);
                }
                return data;
            }

            /** An answer counts, not the request: the client sends its farewell without waiting for an answer. */
            @Override
            protected byte[] answer(byte[] data) {
                if (isAsking.getAndSet(false)) {
                    roundTrips.incrementAndGet();
                }
                return data;
            }
        };
    }
}
