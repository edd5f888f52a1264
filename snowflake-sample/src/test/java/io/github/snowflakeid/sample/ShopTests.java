package io.github.snowflakeid.sample;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.snowflakeid.IdGenerator;
import io.github.snowflakeid.IdLayout;
import io.github.snowflakeid.text.IdFormat;
import io.github.snowflakeid.text.PublicIds;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.UseMainMethod;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@SpringBootTest(
        useMainMethod = UseMainMethod.ALWAYS,
        webEnvironment = WebEnvironment.RANDOM_PORT,
        properties = "spring.datasource.url=jdbc:h2:mem:shop")
class ShopTests {

    private static final JsonMapper JSON = new JsonMapper();

    @LocalServerPort
    int port;

    @Autowired
    IdGenerator ids;

    @Autowired
    PublicIds publicIds;

    @Test
    void placesAnOrderWhoseIdSaysWhenItWasPlaced() throws Exception {
        Instant before = Instant.now();
        HttpResponse<String> response = post("""
                {"customer": "Ada", "lines": [
                  {"product": "tea", "quantity": 2, "price": 4.50}, {"product": "cup", "quantity": 1, "price": 9}]}""");
        JsonNode order = JSON.readTree(response.body());

        assertThat(response.statusCode()).isEqualTo(201);
        assertThat(response.headers().firstValue("Location"))
                .contains("/orders/" + order.get("id").asString());
        assertThat(order.get("id").asString()).hasSize(19);
        assertThat(order.get("customer").asString()).isEqualTo("Ada");
        assertThat(order.get("total").decimalValue()).isEqualByComparingTo("18");
        assertThat(Instant.parse(order.get("placedAt").asString()))
                .isBetween(before.minusMillis(1), Instant.now())
                .isEqualTo(IdLayout.DEFAULT.decode(idOf(order)).timestamp());
        assertThat(order.get("lines")).hasSize(2);
        assertThat(order.get("lines").get(0).get("product").asString()).isEqualTo("tea");
        assertThat(lineIdOf(order, 1)).isGreaterThan(lineIdOf(order, 0));
        assertThat(JSON.readTree(get("/orders/" + order.get("id").asString()).body()))
                .isEqualTo(order);
    }

    @Test
    void numbersOrdersWithoutGaps() throws Exception {
        String first = JSON.readTree(order("Ada").body()).get("number").asString();
        assertThat(post("{\"customer\": \"Ada\", \"lines\": []}").statusCode()).isEqualTo(400);
        String second = JSON.readTree(order("Bob").body()).get("number").asString();

        assertThat(first).matches("ORD-20\\d\\d-\\d{5}");
        assertThat(Integer.parseInt(second.substring(9))).isEqualTo(Integer.parseInt(first.substring(9)) + 1);
    }

    @Test
    void listsOrdersInTheOrderOfTheirCreationPageByPage() throws Exception {
        List<Long> placed = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            placed.add(idOf(JSON.readTree(order("customer " + i).body())));
        }
        String before = publicIds.encode("order", placed.get(0) - 1);
        String second = publicIds.encode("order", placed.get(1));

        assertThat(placed).isSorted().doesNotHaveDuplicates();
        assertThat(idsOf(get("/orders?after=" + before))).isEqualTo(placed);
        assertThat(idsOf(get("/orders?limit=2&after=" + before))).isEqualTo(placed.subList(0, 2));
        assertThat(idsOf(get("/orders?limit=2&after=" + second))).isEqualTo(placed.subList(2, 4));
        assertThat(idsOf(get("/orders"))).containsSubsequence(placed);
    }

    @Test
    void listsTheNewestOrdersFirstPageByPage() throws Exception {
        List<Long> placed = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            placed.add(0, idOf(JSON.readTree(order("customer " + i).body())));
        }
        JsonNode first = JSON.readTree(get("/orders/newest?limit=2").body());
        order("somebody else");
        JsonNode second = JSON.readTree(
                get("/orders/newest?limit=2&before=" + first.get("older").asString())
                        .body());
        String last = publicIds.encode("order", 0);

        assertThat(idsIn(first.get("orders"))).isEqualTo(placed.subList(0, 2));
        assertThat(idsIn(second.get("orders"))).isEqualTo(placed.subList(2, 4));
        assertThat(get("/orders/newest?before=" + last).body()).isEqualTo("{\"orders\":[],\"older\":null}");
        assertThat(get("/orders/newest?before=17").statusCode()).isEqualTo(404);
    }

    @Test
    void listsTheOrdersOfASpanOfTime() throws Exception {
        List<Long> placed = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            placed.add(idOf(JSON.readTree(order("customer " + i).body())));
        }
        Instant first = IdLayout.DEFAULT.timestamp(placed.get(0));
        Instant last = IdLayout.DEFAULT.timestamp(placed.get(2));

        assertThat(idsOf(get("/orders/placed?from=%s&to=%s".formatted(first, last.plusMillis(1)))))
                .containsSubsequence(placed);
        assertThat(idsOf(get("/orders/placed?limit=1&from=%s&to=%s".formatted(last, last.plusMillis(1)))))
                .hasSize(1);
        assertThat(idsOf(get("/orders/placed?from=%s&to=%s".formatted(last.plusMillis(1), last.plusMillis(1)))))
                .isEmpty();
        assertProblem(
                get("/orders/placed?from=%s&to=2026-01-01T00:00:00Z".formatted(first)),
                400,
                "from must not be after to, but from was %s and to was 2026-01-01T00:00:00Z".formatted(first));
    }

    @Test
    void actuatorShowsHowTheGeneratorStands() throws Exception {
        JsonNode health = JSON.readTree(get("/actuator/health/snowflake").body());
        JsonNode leases = JSON.readTree(get("/actuator/snowflake").body());
        long issued = JSON.readTree(get("/ids/statistics").body()).get("issued").asLong();
        get("/ids?count=7");

        assertThat(health.at("/status").asString()).isEqualTo("UP");
        assertThat(health.at("/details/default/lease/state").asString()).isEqualTo("held");
        assertThat(leases.at("/namespaces/0/leases/0/owner").asString()).startsWith("shop, ");
        assertThat(get("/actuator/health/readiness").body()).contains("UP");
        assertThat(get("/actuator/prometheus").body()).contains("snowflake_ids_issued_total{");
        assertThat(JSON.readTree(get("/ids/statistics").body()).get("issued").asLong())
                .isEqualTo(issued + 7);
        assertThat(get("/actuator/env").statusCode()).isEqualTo(404);
    }

    @Test
    void handsOutABatchOfAscendingIdsThatAreStrings() throws Exception {
        JsonNode batch = JSON.readTree(get("/ids?count=10000").body());

        List<Long> numbers = StreamSupport.stream(batch.spliterator(), false)
                .map(id -> Long.valueOf(id.stringValue()))
                .toList();
        assertThat(numbers).hasSize(10_000).isSorted().doesNotHaveDuplicates();
        assertThat(numbers.get(0)).isGreaterThan(1L << 53);
        assertThat(JSON.readTree(get("/ids").body())).hasSize(10);
        assertThat(get("/ids").headers().firstValue("Cache-Control")).contains("no-store");
    }

    @Test
    void decodesItsOwnIds() throws Exception {
        long id = ids.nextId();

        assertThat(get("/ids/" + id).body())
                .isEqualTo(("{\"id\":\"%s\",\"timestamp\":\"%s\",\"datacenterId\":0,\"workerId\":0,\"sequence\":%s,"
                                + "\"bits\":{\"timestamp\":41,\"datacenter\":5,\"worker\":5,\"sequence\":12},"
                                + "\"hexadecimal\":\"%016x\",\"crockford\":\"%s\",\"publicId\":\"%s\"}")
                        .formatted(
                                id,
                                IdLayout.DEFAULT.decode(id).timestamp(),
                                IdLayout.DEFAULT.decode(id).sequence(),
                                id,
                                IdFormat.CROCKFORD.format(id),
                                publicIds.encode("order", id)));
        assertThat(get("/ids/" + publicIds.encode("order", id)).body())
                .isEqualTo(get("/ids/" + id).body());
    }

    @Test
    void decodesTheIdsOfOtherSystems() throws Exception {
        assertThat(get("/ids/1541815603606036480?layout=twitter").body())
                .isEqualTo(
                        "{\"id\":\"1541815603606036480\",\"timestamp\":\"2022-06-28T16:07:40.105Z\",\"datacenterId\":11,"
                                + "\"workerId\":26,\"sequence\":0,"
                                + "\"bits\":{\"timestamp\":41,\"datacenter\":5,\"worker\":5,\"sequence\":12},"
                                + "\"hexadecimal\":\"1565a11f6217a000\",\"crockford\":\"1ASD13XH1F800\"}");
        assertThat(get("/ids/175928847299117063?layout=Discord").body()).contains("\"sequence\":7");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    /orders?limit=0     | 400 | limit must be a whole number from 1 to 1000, but was '0'
                    /ids?count=0        | 400 | count must be a whole number from 1 to 10000, but was '0'
                    /ids?count=10001    | 400 | count must be a whole number from 1 to 10000, but was '10001'
                    /ids?count=many     | 400 | count must be a whole number from 1 to 10000, but was 'many'
                    /ids/-1             | 400 | id must be a whole number from 0 to 9223372036854775807, but was '-1'
                    /ids/9223372036854775808 | 400 | id must be a whole number from 0 to 9223372036854775807, but was '9223372036854775808'
                    /ids/9007199254740992?layout=javascript-safe | 400 | ID must be less than 2^53 (the layout has 53 bits), but was 9007199254740992
                    /ids/aH8JfX2rrMASE9zX18v | 400 | id must be a whole number or the public ID of an order, but was 'aH8JfX2rrMASE9zX18v'
                    /orders/newest?limit=1001 | 400 | limit must be a whole number from 1 to 1000, but was '1001'
                    /ids/1?layout=flake | 400 | layout must be one of default, twitter, leaf, shardingsphere, baidu, discord, javascript-safe, but was 'flake'
                    """)
    void invalidQueriesGetAProblemWithTheReason(String path, int status, String detail) throws Exception {
        assertProblem(get(path), status, detail);
    }

    @Test
    void missingOrdersAndInvalidLinksHaveTheSameAnswer() throws Exception {
        String missing = publicIds.encode("order", 7);
        String expected = get("/orders/" + missing).body();

        for (String link : List.of(publicIds.encode("line", 7), "7", "abc", missing.substring(1))) {
            HttpResponse<String> response = get("/orders/" + link);

            assertThat(response.statusCode()).isEqualTo(404);
            assertThat(response.body()).isEqualTo(expected.replace(missing, link));
            assertThat(get("/orders?after=" + link).statusCode()).isEqualTo(404);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    {"customer": "Ada", "lines": []}            | lines must be 1 to 100, but were 0
                    {"customer": "Ada"}                         | lines must be 1 to 100, but were 0
                    {"customer": "Ada", "lines": [null]}        | lines[0] must not be null
                    {"lines": [{"product": "tea", "quantity": 1, "price": 1}]} | customer must have 1 to 200 characters, but is missing
                    {"customer": " ", "lines": [{"product": "tea", "quantity": 1, "price": 1}]} | customer must have 1 to 200 characters, but has 0
                    {"customer": "Ada", "lines": [{"quantity": 1, "price": 1}]} | lines[0].product must have 1 to 200 characters, but is missing
                    {"customer": "Ada", "lines": [{"product": "tea", "quantity": 0, "price": 1}]} | lines[0].quantity must be a whole number from 1 to 1000000, but was 0
                    {"customer": "Ada", "lines": [{"product": "tea", "quantity": 1.5, "price": 1}]} | lines[0].quantity must be a whole number from 1 to 1000000, but was 1.5
                    {"customer": "Ada", "lines": [{"product": "tea", "quantity": 99999999999, "price": 1}]} | lines[0].quantity must be a whole number from 1 to 1000000, but was 99999999999
                    {"customer": "Ada", "lines": [{"product": "tea", "quantity": 1, "price": -1}]} | lines[0].price must be a number with at most 2 decimal places from 0 to 1000000, but was -1
                    {"customer": "Ada", "lines": [{"product": "tea", "quantity": 1, "price": 0.001}]} | lines[0].price must be a number with at most 2 decimal places from 0 to 1000000, but was 0.001
                    {"customer": "Ada", "lines": [{"product": "tea", "quantity": 1}]} | lines[0].price must be a number with at most 2 decimal places from 0 to 1000000, but is missing
                    {"customer": "Ada", "lines": [{"product": "tea", "quantity": "x"}]} | lines[0].quantity is of the wrong type. The body must be JSON like {"customer": "Ada", "lines": [{"product": "tea", "quantity": 2, "price": 4.50}]}
                    {"customer                                  | The body must be JSON like {"customer": "Ada", "lines": [{"product": "tea", "quantity": 2, "price": 4.50}]}
                    """)
    void invalidOrdersGetAProblemWithTheReason(String body, String detail) throws Exception {
        assertProblem(post(body), 400, detail);
    }

    /** With a Content-Length header, and in chunks. */
    @Test
    void bodyThatIsTooLargeIsRejected() throws Exception {
        byte[] large = "{\"customer\": \"%s\"}".formatted("a".repeat(1 << 20)).getBytes(StandardCharsets.UTF_8);
        for (HttpRequest.BodyPublisher body : List.of(
                HttpRequest.BodyPublishers.ofByteArray(large),
                HttpRequest.BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(large)))) {
            HttpResponse<String> response = send(request("/orders")
                    .header("Content-Type", "application/json")
                    .POST(body)
                    .build());

            assertProblem(response, 413, "The body must have at most 262144 bytes.");
            assertSafe(response);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "POST, /orders, multipart/form-data, 415",
        "POST, /orders, multipart/form-data; boundary=a, 415",
        "POST, /orders, */*, 415",
        "POST, /orders, application/*, 415",
        "POST, /orders, none, 415",
        "POST, /ids, multipart/form-data, 405",
        "PUT, /orders, multipart/form-data, 405"
    })
    void bodyOfAnotherTypeIsRejected(String method, String path, String type, int status) throws Exception {
        HttpResponse<String> response = send(request(path)
                .header("Content-Type", type)
                .method(method, HttpRequest.BodyPublishers.ofString("{}"))
                .build());

        assertThat(response.statusCode()).isEqualTo(status);
        assertSafe(response);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/",
                "/js/page.js",
                "/ids",
                "/ids/-1",
                "/orders/7",
                "/nowhere",
                "/actuator/health",
                "/ids?count=%ff"
            })
    void browsersMayNeitherGuessTypesNorShowAnythingInFrames(String path) throws Exception {
        assertSafe(get(path));
    }

    private static void assertSafe(HttpResponse<String> response) {
        assertThat(response.statusCode()).isLessThan(500);
        assertThat(response.headers().firstValue("X-Content-Type-Options")).contains("nosniff");
        assertThat(response.headers().firstValue("X-Frame-Options")).contains("DENY");
        assertThat(response.headers().firstValue("Content-Security-Policy")).contains("frame-ancestors 'none'");
    }

    @Test
    void pageIsServed() throws Exception {
        HttpResponse<String> page = get("/");

        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(page.body()).contains("<title>Snowflake shop</title>");
    }

    private static void assertProblem(HttpResponse<String> response, int status, String detail) {
        assertThat(response.headers().firstValue("Content-Type")).contains("application/problem+json");
        JsonNode problem = JSON.readTree(response.body());
        assertThat(problem.get("detail").asString()).isEqualTo(detail);
        assertThat(problem.get("status").asInt()).isEqualTo(status);
        assertThat(response.statusCode()).isEqualTo(status);
    }

    private List<Long> idsOf(HttpResponse<String> response) {
        return idsIn(JSON.readTree(response.body()));
    }

    private List<Long> idsIn(JsonNode list) {
        return StreamSupport.stream(list.spliterator(), false).map(this::idOf).toList();
    }

    private long idOf(JsonNode order) {
        return publicIds.decode("order", order.get("id").stringValue());
    }

    private long lineIdOf(JsonNode order, int line) {
        return publicIds.decode("line", order.get("lines").get(line).get("id").stringValue());
    }

    private HttpResponse<String> order(String customer) throws Exception {
        return post("{\"customer\": \"%s\", \"lines\": [{\"product\": \"tea\", \"quantity\": 1, \"price\": 4.50}]}"
                .formatted(customer));
    }

    private HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return send(request(path).GET().build());
    }

    private HttpResponse<String> post(String body) throws IOException, InterruptedException {
        return send(request("/orders")
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build());
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://localhost:" + port + path));
    }

    private static HttpResponse<String> send(HttpRequest request) throws IOException, InterruptedException {
        return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
    }
}
