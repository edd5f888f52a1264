package io.github.snowflakeid.sample;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.concurrent.ThreadLocalRandom;
import org.h2.tools.Server;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page during an outage of the database, an outage of the shop, and afterwards, without a reload. */
// Slow: a real browser, and outages that last as long as a lease.
@Tag("full")
@Tag("servers")
class PageOutageTests {

    @TempDir
    Path directory;

    private Browser browser;
    private int databasePort;
    private int shopPort;
    private Process database;
    private ShopProcess shop;

    @BeforeEach
    void start() throws Exception {
        browser = Browser.open();
        databasePort = freePort();
        database = database();
        shopPort = freePort();
        shop = shop();
        browser.show(shop.address());
        browser.awaitText("#headline", "HELD, generating IDs");
        browser.awaitMatch("#workers", ".*this process.*");
        browser.awaitText("#page", "No orders yet: place the first one.");
        browser.run("window.loadedOnce = true");
        browser.run("""
                return Promise.all([...Array(11)].map(() => fetch('/orders', {
                  method: 'POST', headers: {'Content-Type': 'application/json'},
                  body: '{"customer": "Ada", "lines": [{"product": "tea", "quantity": 2, "price": 4.50}]}'})))""");
        browser.click("#place button");
        browser.awaitText("#page", "Page 1");
    }

    @AfterEach
    void stop() throws Exception {
        if (shop != null) {
            shop.close();
        }
        if (database != null) {
            database.destroyForcibly().waitFor();
        }
        if (browser != null) {
            browser.close();
        }
    }

    /**
     * Returns a free port. It is below the range from which Linux chooses the ports of outgoing connections, because
     * such a connection could take the port while the server is stopped.
     */
    private static int freePort() {
        while (true) {
            int port = ThreadLocalRandom.current().nextInt(20_000, 30_000);
            try (ServerSocket free = new ServerSocket(port)) {
                return free.getLocalPort();
            } catch (IOException e) {
                // Another process has it.
            }
        }
    }

    private ShopProcess shop() throws IOException {
        return ShopProcess.start(
                directory,
                "--server.port=" + shopPort,
                "--spring.datasource.url=jdbc:h2:tcp://localhost:%s/./shop;WRITE_DELAY=0".formatted(databasePort),
                "--spring.datasource.username=sa",
                "--snowflake.worker.lease.ttl=12s");
    }

    private Process database() throws Exception {
        Path jar = Path.of(
                Server.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        Process server = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        jar.toString(),
                        Server.class.getName(),
                        "-tcp",
                        "-tcpPort",
                        String.valueOf(databasePort),
                        "-ifNotExists",
                        "-baseDir",
                        directory.toString())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        // The server prints a line when it accepts connections.
        server.inputReader().readLine();
        return server;
    }

    @Test
    void outageOfTheDatabaseIsSeenFromItsBeginningToItsEnd() throws Exception {
        database.destroyForcibly().waitFor();

        browser.awaitMatch("#headline", "EXPIRING, IDs available until \\d\\d:\\d\\d:\\d\\d");
        assertThat(browser.element("#pill").getText()).isEqualTo("EXPIRING");
        assertThat(browser.element("#reason").getText())
                .startsWith("Renewal is being retried, before and after that time. Cause: ");
        assertThat(browser.title()).isEqualTo("EXPIRING – Snowflake shop");
        seenByEverybody();

        browser.awaitText("#headline", "ENDED: no IDs");
        assertThat(browser.element("#pill").getText()).isEqualTo("ENDED");
        assertThat(browser.element("#reason").getText())
                .startsWith(
                        "ID generation resumes by itself once the store is repaired. Do not restart the shop. Cause: ");
        assertThat(browser.element("#left").getDomAttribute("aria-valuetext")).isEqualTo("0 s");
        seenByEverybody();
        browser.click("#nextId");
        browser.awaitText("#idProblem", "No IDs at the moment.");
        browser.click("#place button");
        browser.awaitText("#placeProblem", "The database does not answer.");
        browser.click("#older");
        browser.awaitText("#ordersProblem", "The database does not answer. Retrying.");
        browser.awaitMatch(
                "#workersProblem", "Last update at \\d\\d:\\d\\d:\\d\\d\\. Now: the registry is unavailable: .*");
        assertThat(browser.texts("#workers tr")).hasSize(1);
        browser.awaitMatch("#health", ".*snowflake DOWN.*");

        database = database();
        browser.awaitText("#headline", "HELD, generating IDs");
        browser.awaitText("#workersProblem", "");
        browser.awaitText("#page", "Page 2");
        browser.awaitText("#ordersProblem", "");
        browser.click("#place button");
        browser.awaitText("#orders tr:first-child [data-label=Customer]", "Ada");
        browser.awaitText("#placeProblem", "");
        browser.awaitMatch("#health", ".*db UP.*snowflake UP.*");
        assertThat(browser.title()).isEqualTo("Snowflake shop");
        assertThat(browser.run("return window.loadedOnce")).isEqualTo(true);
    }

    @Test
    void unavailableShopIsReportedAndItsRecoveryIsNoticed() throws Exception {
        shop.close();

        browser.awaitMatch("#headline", "NO RESPONSE since \\d\\d:\\d\\d:\\d\\d");
        assertThat(browser.element("#reason").getText())
                .isEqualTo("The shop does not respond. Is it running? Retrying every second;"
                        + " the data below is from before.");
        assertThat(browser.element("#pill").getText()).isEqualTo("NO RESPONSE");
        seenByEverybody();
        browser.click("#nextId");
        browser.awaitText("#idProblem", "The shop does not respond. Is it running?");
        browser.click("#place button");
        browser.awaitText("#placeProblem", "The shop does not respond. Is it running?");

        shop = shop();
        browser.awaitText("#headline", "HELD, generating IDs");
        browser.awaitMatch("#rate", "\\d+");
        browser.click("#nextId");
        browser.awaitMatch("#sentence", "\\d+ was generated at .*");
        browser.click("#place button");
        browser.awaitText("#orders tr:first-child [data-label=Customer]", "Ada");
        assertThat(browser.run("return window.loadedOnce")).isEqualTo(true);
    }

    private void seenByEverybody() throws IOException {
        for (String scheme : new String[] {"light", "dark"}) {
            browser.prefers(scheme, "reduce");
            assertThat(browser.barriers()).isEmpty();
        }
    }
}
