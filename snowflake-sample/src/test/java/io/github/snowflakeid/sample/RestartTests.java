package io.github.snowflakeid.sample;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.snowflakeid.IdLayout;
import io.github.snowflakeid.text.PublicIds;
import java.io.BufferedReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The shop as a process of its own, killed without a chance to say good-bye. */
@Timeout(120)
class RestartTests {

    private static final Pattern OPEN = Pattern.compile(".*Shop is open at (http://localhost:\\d+).*");
    private static final Pattern ID = Pattern.compile("\"id\":\"(\\w+)\",\"placedAt\"");
    private static final String KEY = "3q2+7wAAECAwQFBgcICQoLDA0ODw/x4tPEtaaXiHlqU=";
    private static final PublicIds PUBLIC_IDS = PublicIds.of(PublicIds.Key.of("a", KEY));

    @TempDir
    Path directory;

    @Test
    void ordersSurviveAKillAndNoIdRepeatsAfterTheRestart() throws Exception {
        List<Long> placed = new ArrayList<>();
        for (int life = 0; life < 3; life++) {
            Process shop = start();
            try {
                String address = addressOf(shop);
                for (int i = 0; i < 3; i++) {
                    placed.addAll(idsIn(place(address)));
                }

                assertThat(idsIn(get(address + "/orders"))).isEqualTo(placed);
                assertThat(placed).isSorted().doesNotHaveDuplicates().hasSize(3 * (life + 1));
            } finally {
                shop.destroyForcibly().waitFor();
            }
        }
    }

    @Test
    void instancesSideBySideHaveDifferentWorkerIds() throws Exception {
        Process one = start("--spring.profiles.active=shared");
        try {
            String first = addressOf(one);
            Process other = start("--spring.profiles.active=shared");
            try {
                String second = addressOf(other);
                List<Long> placed = new ArrayList<>();
                for (int i = 0; i < 3; i++) {
                    placed.addAll(idsIn(place(first)));
                    placed.addAll(idsIn(place(second)));
                }

                assertThat(idsIn(get(first + "/orders")))
                        .isEqualTo(idsIn(get(second + "/orders")))
                        .containsExactlyInAnyOrderElementsOf(placed)
                        .doesNotHaveDuplicates();
                assertThat(placed.stream()
                                .map(id -> IdLayout.DEFAULT.decode(id).workerId())
                                .distinct())
                        .containsExactly(0, 1);
            } finally {
                other.destroyForcibly().waitFor();
            }
        } finally {
            one.destroyForcibly().waitFor();
        }
    }

    private Process start(String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                SampleApplication.class.getName(),
                "--server.port=0"));
        command.addAll(List.of(arguments));
        ProcessBuilder shop =
                new ProcessBuilder(command).directory(directory.toFile()).redirectErrorStream(true);
        // Links outlive the process, and lead to the other one as well.
        shop.environment().put("PUBLIC_ID_KEY", KEY);
        return shop.start();
    }

    /** Reads the log until the shop says where it is. */
    private static String addressOf(Process shop) throws Exception {
        StringBuilder log = new StringBuilder();
        BufferedReader lines = shop.inputReader();
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            Matcher open = OPEN.matcher(line);
            if (open.matches()) {
                return open.group(1);
            }
            log.append(line).append('\n');
        }
        throw new AssertionError("The shop did not open:\n" + log);
    }

    private static String place(String address) throws Exception {
        return send(HttpRequest.newBuilder(URI.create(address + "/orders"))
                .header("Content-Type", "application/json")
                .POST(
                        HttpRequest.BodyPublishers.ofString(
                                "{\"customer\": \"Ada\", \"lines\": [{\"product\": \"tea\", \"quantity\": 1, \"price\": 4.50}]}"))
                .build());
    }

    private static String get(String address) throws Exception {
        return send(HttpRequest.newBuilder(URI.create(address)).build());
    }

    private static String send(HttpRequest request) throws Exception {
        HttpResponse<String> response = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
        assertThat(response.statusCode()).as(response.body()).isBetween(200, 201);
        return response.body();
    }

    private static List<Long> idsIn(String json) {
        return ID.matcher(json)
                .results()
                .map(found -> PUBLIC_IDS.decode("order", found.group(1)))
                .toList();
    }
}
