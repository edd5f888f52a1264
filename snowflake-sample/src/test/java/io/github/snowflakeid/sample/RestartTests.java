package io.github.snowflakeid.sample;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.snowflakeid.IdLayout;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The shop as a separate process, which is killed without shutdown. */
// Slow: starts the sample in several processes, one after the other.
@Tag("full")
@Tag("servers")
class RestartTests {

    private static final Pattern ID = Pattern.compile("\"id\":\"(\\w+)\",\"number\"");

    @TempDir
    Path directory;

    @Test
    void ordersSurviveAKillAndNoIdRepeatsAfterTheRestart() throws Exception {
        List<Long> placed = new ArrayList<>();
        for (int life = 0; life < 3; life++) {
            try (ShopProcess shop = ShopProcess.start(directory)) {
                for (int i = 0; i < 3; i++) {
                    placed.addAll(idsIn(place(shop.address())));
                }

                assertThat(idsIn(get(shop.address() + "/orders"))).isEqualTo(placed);
                assertThat(placed).isSorted().doesNotHaveDuplicates().hasSize(3 * (life + 1));
            }
        }
    }

    @Test
    void instancesSideBySideHaveDifferentWorkerIds() throws Exception {
        try (ShopProcess one = ShopProcess.start(directory, "--spring.profiles.active=shared");
                ShopProcess other = ShopProcess.start(directory, "--spring.profiles.active=shared")) {
            List<Long> placed = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                placed.addAll(idsIn(place(one.address())));
                placed.addAll(idsIn(place(other.address())));
            }

            assertThat(idsIn(get(one.address() + "/orders")))
                    .isEqualTo(idsIn(get(other.address() + "/orders")))
                    .containsExactlyInAnyOrderElementsOf(placed)
                    .doesNotHaveDuplicates();
            assertThat(placed.stream()
                            .map(id -> IdLayout.DEFAULT.decode(id).workerId())
                            .distinct())
                    .containsExactly(0, 1);
        }
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
                .map(found -> ShopProcess.PUBLIC_IDS.decode("order", found.group(1)))
                .toList();
    }
}
