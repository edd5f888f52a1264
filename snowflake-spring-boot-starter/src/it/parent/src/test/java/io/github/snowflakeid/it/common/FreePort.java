package io.github.snowflakeid.it.common;

import java.io.IOException;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/** Ports for servers of tests. */
public final class FreePort {

    private FreePort() {}

    /**
     * Returns a free port. It is below the range from which Linux chooses the ports of outgoing connections, one of which
     * could otherwise take it before the server starts, or while the server is stopped.
     */
    public static int choose() {
        while (true) {
            int port = ThreadLocalRandom.current().nextInt(20_000, 30_000);
            try (ServerSocket free = new ServerSocket(port)) {
                return free.getLocalPort();
            } catch (IOException e) {
                // It is in use.
            }
        }
    }
}
