package io.github.snowflakeid.it.publicids;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.snowflakeid.text.IdFormat;
import io.github.snowflakeid.text.PublicIds;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.http.MediaType;
import org.springframework.util.MimeType;

/** The contract of each kind of web server, with and without problem details. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@ExtendWith(OutputCaptureExtension.class)
abstract class PublicIdContract {

    static final long ID = 249828685941993514L;

    private final String type;
    WebServer server;
    PublicIds publicIds;

    PublicIdContract(String type) {
        this.type = type;
    }

    /** Errors show as much as possible except stack traces, which contain their origin. Even so, no number leaks. */
    @BeforeAll
    void start() {
        server = WebServer.start(
                PublicIdShop.class,
                "spring.main.web-application-type=" + type,
                "server.error.include-message=always",
                "server.error.include-binding-errors=always",
                "server.error.include-exception=true",
                "spring.web.error.include-message=always",
                "spring.web.error.include-binding-errors=always",
                "spring.web.error.include-exception=true",
                "spring.mvc.log-resolved-exception=true");
        publicIds = server.context.getBean(PublicIds.class);
    }

    @AfterAll
    void stop() {
        server.close();
    }

    @Test
    void aPathHasThePublicIdAndTheControllerTheNumber() throws Exception {
        String text = publicIds.encode("order", ID);

        assertThat(text).hasSize(19).startsWith("a");
        assertThat(server.get("/orders/" + text).body()).isEqualTo("tea");
    }

    @Test
    void requestedIdIsReturned() throws Exception {
        String order = publicIds.encode("order", ID);

        assertThat(server.get("/receipts/" + order).body())
                .isEqualTo("{\"order\":\"%s\",\"lines\":[\"%s\",\"%s\"]}"
                        .formatted(order, publicIds.encode("line", ID + 1), publicIds.encode("line", ID + 2)));
    }

    /** Writes objects in a format. */
    interface Format {

        byte[] write(Object object) throws Exception;
    }

    /** Each media type that the server writes a receipt in, with wildcards replaced. */
    abstract Map<MediaType, Format> written();

    /** Each media type that the server reads a receipt from. */
    abstract Set<MediaType> read();

    /** Whether the server offers a type but answers 500, so that only the codec can be tested. */
    boolean isUnsupported(MediaType type) {
        return false;
    }

    /** Replaces the wildcard of a suffix, as in application/*+json. */
    static MediaType concrete(MimeType type) {
        return new MediaType(type.getType(), type.getSubtype().replace("*+", "vnd.shop+"));
    }

    @Test
    void eachFormatWritesPublicIds() throws Exception {
        assertThat(written()).containsKey(MediaType.APPLICATION_JSON);
        byte[] number = ByteBuffer.allocate(Long.BYTES).putLong(ID).array();
        for (Map.Entry<MediaType, Format> each : written().entrySet()) {
            MediaType type = each.getKey();
            byte[] body;
            if (isUnsupported(type)) {
                body = each.getValue().write(new OrderController.Receipt(ID, List.of(ID + 1)));
            } else {
                HttpResponse<byte[]> response = server.getAs(type, "/receipts/" + publicIds.encode("order", ID));
                assertThat(response.statusCode()).as("%s", type).isEqualTo(200);
                assertThat(MediaType.parseMediaType(
                                response.headers().firstValue("Content-Type").orElseThrow()))
                        .matches(type::isCompatibleWith);
                body = response.body();
            }
            assertThat(new String(body, StandardCharsets.ISO_8859_1))
                    .as("%s", type)
                    .contains(publicIds.encode("order", ID), publicIds.encode("line", ID + 1))
                    .doesNotContain(
                            Long.toString(ID), Long.toString(ID + 1), new String(number, StandardCharsets.ISO_8859_1));
        }
    }

    record Texts(String order, List<String> lines) {}

    record Numbers(long order, List<Long> lines) {}

    record Mixed(String order, List<Long> lines) {}

    @Test
    void eachFormatReadsPublicIdsAndNoNumbers() throws Exception {
        Texts texts = new Texts(publicIds.encode("order", ID), List.of(publicIds.encode("line", 8)));
        Texts digits = new Texts(Long.toString(ID), List.of());
        Numbers order = new Numbers(ID, List.of());
        Mixed lines = new Mixed(texts.order(), List.of(8L));
        Map<MediaType, Format> formats = written();
        assertThat(read()).contains(MediaType.APPLICATION_JSON);
        for (MediaType type : read()) {
            Format format = formats.get(type);
            HttpResponse<String> response = server.postAs(type, "/receipts", format.write(texts));

            assertThat(response.body()).as("%s", type).isEqualTo("%s [8]", ID);
            assertThat(response.statusCode()).isEqualTo(200);
            for (Object number : List.of(digits, order, lines)) {
                assertThat(server.postAs(type, "/receipts", format.write(number))
                                .statusCode())
                        .as("%s %s", type, number)
                        .isEqualTo(400);
            }
        }
    }

    @Test
    void parametersHaveOneIdOrSeveral() throws Exception {
        String one = publicIds.encode("order", 1);
        String two = publicIds.encode("order", 2);

        assertThat(server.get("/numbers?one=%1$s&list=%1$s,%2$s&array=%2$s&array=%1$s&maybe=%2$s".formatted(one, two))
                        .body())
                .isEqualTo("1 [1, 2] [2, 2] Optional[2] null");
        assertThat(server.get("/numbers", "header", one).body()).isEqualTo("null [] [0, 0] Optional.empty 1");
        assertThat(server.get("/numbers?one=").body()).startsWith("null ");
        assertThat(server.get("/search?after=" + two).body()).isEqualTo("2");
        assertThat(server.get("/filter?after=" + two).body()).isEqualTo("2");
    }

    @Test
    void typedIdsArePublicInPathsParametersFormsAndBodies() throws Exception {
        String order = publicIds.encode("order", ID);
        String two = publicIds.encode("order", 2);
        String json = "{\"id\":\"%1$s\",\"line\":7,\"related\":[\"%1$s\",\"%2$s\"]}".formatted(order, two);

        assertThat(server.get("/typed/%1$s?line=7&related=%1$s,%2$s".formatted(order, two))
                        .body())
                .isEqualTo(json);
        assertThat(server.get("/typed?after=%1$s&line=7&among=%1$s,%2$s".formatted(order, two))
                        .body())
                .isEqualTo(json);
        assertThat(server.post("/typed", json).body()).isEqualTo(json);
        assertThat(server.post("/typed", json.replace("\"" + two + "\"", "2")).statusCode())
                .isEqualTo(400);
        assertThat(server.get("/typed/%s?line=x".formatted(order)).statusCode()).isEqualTo(400);
    }

    @Test
    void objectWithOneIdIsAnObjectInParametersFormsAndBodies() throws Exception {
        String order = publicIds.encode("order", ID);
        String two = publicIds.encode("order", 2);
        String json = "{\"order\":\"%s\"}".formatted(order);

        assertThat(server.get("/placed/" + order).body()).isEqualTo(json);
        assertThat(server.get("/placed/%s?among=%s,%s".formatted(two, order, two))
                        .body())
                .isEqualTo(json);
        assertThat(server.get("/placed?order=" + order).body()).isEqualTo(json);
        assertThat(server.post("/placed", json).body()).isEqualTo(json);
        for (String path : List.of("/placed/2", "/placed/%s?among=2".formatted(two), "/placed?order=2")) {
            assertThat(server.get(path).statusCode()).as(path).isEqualTo(404);
        }
        for (String body : List.of("{\"order\":2}", "2", "\"%s\"".formatted(order), "{\"order\":{\"value\":2}}")) {
            assertThat(server.post("/placed", body).statusCode()).as(body).isEqualTo(400);
        }
    }

    Stream<Arguments> kinds() {
        List<String> texts = List.of(publicIds.encode("order", 7), publicIds.encode("order", 8));
        List<String> numbers = List.of("7", Long.toString(ID), publicIds.encode("line", 7));
        List<String> otherPrefixes = List.of(texts.get(0), "7", "inv_" + texts.get(0), "ORD_" + texts.get(0), "ord_7");
        return Stream.of(
                Arguments.of("long", texts, 404, numbers),
                Arguments.of("boxed", texts, 404, numbers),
                Arguments.of("integer", texts, 404, numbers),
                Arguments.of("big", texts, 404, numbers),
                Arguments.of("record", texts, 404, numbers),
                Arguments.of("prefixed", texts.stream().map("ord_"::concat).toList(), 404, otherPrefixes),
                Arguments.of(
                        "ticket",
                        List.of("tkt_0000000000007", "tkt_0000000000008"),
                        400,
                        List.of("0000000000007", "tkt_7")),
                Arguments.of("plain", List.of("inv_7", "inv_8"), 400, List.of("7", "inv_", "tkt_7", "inv_x")),
                Arguments.of("string", List.of("7", "x"), 0, List.of()),
                Arguments.of("code", List.of("7", "x"), 0, List.of()));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("kinds")
    void eachKindOfIdIsTextInPathsParametersAndJson(String kind, List<String> texts, int status, List<String> bad)
            throws Exception {
        String path = "/kinds/" + kind;
        String json = "{\"id\":\"%s\",\"other\":\"%s\"}".formatted(texts.toArray());

        assertThat(server.get("%s/%s?other=%s".formatted(path, texts.get(0), texts.get(1)))
                        .body())
                .isEqualTo(json);
        assertThat(server.post(path, json).body()).isEqualTo(json);
        for (String text : bad) {
            assertThat(server.get("%s/%s?other=%s".formatted(path, text, texts.get(1)))
                            .statusCode())
                    .as(text)
                    .isEqualTo(status);
            assertThat(server.get("%s/%s?other=%s".formatted(path, texts.get(0), text))
                            .statusCode())
                    .as(text)
                    .isEqualTo(status);
            assertThat(server.post(path, json.replace(texts.get(1), text)).statusCode())
                    .as(text)
                    .isEqualTo(400);
            assertThat(server.post(path, json.replace("\"" + texts.get(1) + "\"", "8"))
                            .statusCode())
                    .isEqualTo(400);
        }
    }

    /** Messages of WebFlux contain the result of the ID's toString. */
    @Test
    void rejectedValueOfATypedIdIsPublic() throws Exception {
        String order = publicIds.encode("order", ID);

        HttpResponse<String> response = server.get("/checked?typed=" + order);

        assertThat(withoutMessage(response))
                .startsWith("400 ")
                .contains("\"rejectedValue\":\"" + order + "\"")
                .doesNotContain(Long.toString(ID));
    }

    @Test
    void numbersMayBeIntegers() throws Exception {
        assertThat(server.get("/invoices/" + publicIds.encode("invoice", 7)).body())
                .isEqualTo("7");
        assertThat(withoutWhere(server.get("/invoices/" + publicIds.encode("invoice", ID))))
                .isEqualTo(withoutWhere(server.get("/invoices/" + publicIds.encode("invoice", 404))))
                .startsWith("404 ");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/orders/%s",
                "/numbers?one=%s",
                "/numbers?list=%s",
                "/numbers?array=%s",
                "/numbers?maybe=%s",
                "/search?after=%s",
                "/filter?after=%s",
                "/typed/%s",
                "/typed?after=%s",
                "/typed?among=%s",
                "/typed?after.value=%s",
                "/typed?among%%5B0%%5D.value=%s",
                "/kinds/prefixed/%s?other=x",
                "/kinds/prefixed/ord_%s?other=x"
            })
    void invalidTextGetsTheSameAnswerAsAMissingRow(String path, CapturedOutput output) throws Exception {
        String missing = "/orders/" + publicIds.encode("order", 404);
        String expected = withoutWhere(server.get(missing));
        assertThat(expected).startsWith("404 ").contains("Not Found");

        Stream<String> blanks =
                path.startsWith("/orders") || path.startsWith("/typed/") ? Stream.of("%20", "%2C") : Stream.empty();
        for (String bad : Stream.concat(badTexts(), blanks).toList()) {
            String asked = path.formatted(bad);
            assertThat(withoutWhere(server.get(asked))).as(asked).isEqualTo(expected);
        }
        assertThat(output.getAll()).doesNotContain("\tat ", "key has the name", "mistyped", "characters, but");
    }

    /** Too short, a bare number, of another type, of an unknown key, and changed at each position. */
    private Stream<String> badTexts() {
        String text = publicIds.encode("order", ID);
        Random random = new Random(17);
        return Stream.concat(
                Stream.of("x", Long.toString(ID), "1", publicIds.encode("line", ID), "b" + text.substring(1)),
                random.ints(1, text.length()).limit(10).mapToObj(at -> {
                    char changed = text.charAt(at) == 'x' ? 'y' : 'x';
                    return text.substring(0, at) + changed + text.substring(at + 1);
                }));
    }

    /** Returns the answer without the requested path and the time. The length of the path affects the length of the answer. */
    private static String withoutWhere(HttpResponse<String> response) {
        String body = response.body()
                .replaceAll("\"(path|instance)\":\"[^\"]*\"", "\"path\":\"\"")
                .replaceAll("\"timestamp\":[^,}]*", "")
                .replaceAll("\"requestId\":[^,}]*", "");
        List<String> headers = response.headers().map().entrySet().stream()
                .filter(header -> !header.getKey().matches("(?i)date|content-length|connection|keep-alive"))
                .map(Object::toString)
                .sorted()
                .toList();
        return response.statusCode() + " " + body + " " + headers;
    }

    @Test
    void theApplicationsOwnAdviceTakesPart() throws Exception {
        for (String text : List.of(publicIds.encode("order", 404), "x", Long.toString(ID))) {
            HttpResponse<String> response = server.get("/advised/orders/" + text);

            assertThat(response.statusCode()).isEqualTo(404);
            assertThat(response.body()).isEqualTo("nothing here");
        }
    }

    @Test
    void jsonHasPublicIdsWhereverNumbersAre() throws Exception {
        String json = """
                {"id":"%s","customer":"%s","lines":["%s",null],"invoices":["%s"],"payments":["%s"],"parcels":{"x":"%s"},\
                "voucher":"%s","till":"%s","batches":[["%s"]],"ticket":"0123456789ABC","quantity":3}""".formatted(
                        publicIds.encode("order", ID),
                        publicIds.encode("customer", 1),
                        publicIds.encode("line", 2),
                        publicIds.encode("invoice", 3),
                        publicIds.encode("payment", 4),
                        publicIds.encode("parcel", 5),
                        publicIds.encode("voucher", 6),
                        publicIds.encode("till", 7),
                        publicIds.encode("batch", 8));

        assertThat(server.post("/orders", json).body()).isEqualTo(json);
    }

    @Test
    void nullStaysNull() throws Exception {
        String order = "{\"id\":\"%s\",\"quantity\":1}".formatted(publicIds.encode("order", ID));

        assertThat(server.post("/orders", order).body())
                .contains("\"customer\":null", "\"lines\":null", "\"voucher\":null", "\"till\":null");
    }

    @Test
    void aBadTextInJsonIsABadRequestLikeAnyOther(CapturedOutput output) throws Exception {
        String expected = withoutMessage(server.post("/orders", "{\"quantity\":true}"));
        assertThat(expected).startsWith("400 ");

        for (String bad : List.of("\"x\"", "1", "\"1\"", "\"\"", "\"" + publicIds.encode("nobody", ID) + "\"", "1.5")) {
            for (String attribute :
                    List.of("{\"id\":%s}", "{\"lines\":[%s]}", "{\"invoices\":[%s]}", "{\"till\":%s}")) {
                HttpResponse<String> response = server.post("/orders", attribute.formatted(bad));
                assertThat(withoutMessage(response))
                        .as(attribute.formatted(bad))
                        .isEqualTo(expected);
                assertThat(response.body()).doesNotContain("characters", "mistyped", "\\tat");
            }
        }
        assertThat(output.getAll()).doesNotContain("\tat ", "mistyped", "characters, but");
    }

    /** The message quotes the value and the expected form, as for any other wrong JSON. */
    private static String withoutMessage(HttpResponse<String> response) {
        return withoutWhere(response).replaceAll("\"message\":\"(\\\\.|[^\"\\\\])*\"", "");
    }

    @Test
    void aTextThatAControllerDecodesCanBeAnsweredAlike() throws Exception {
        String missing = withoutWhere(server.get("/orders/" + publicIds.encode("order", 404)));

        assertThat(server.get("/labels/7:" + publicIds.encode("order", ID)).body())
                .isEqualTo("tea");
        for (String bad : badTexts().toList()) {
            assertThat(withoutWhere(server.get("/labels/7:" + bad))).isEqualTo(missing);
        }
    }

    @Test
    void aFormatIsReadAndAnotherTextIsABadRequest() throws Exception {
        assertThat(server.get("/tickets/oi23456789abc").body()).isEqualTo("38390726480144748");
        assertThat(server.get("/tickets/" + IdFormat.CROCKFORD.format(ID)).body())
                .isEqualTo(Long.toString(ID));
        assertThat(server.get("/tickets/" + ID).statusCode()).isEqualTo(400);
        assertThat(server.get("/tickets/1").statusCode()).isEqualTo(400);
    }

    @Test
    void numbersWithoutTheAnnotationAreReadAsBefore() throws Exception {
        assertThat(server.get("/plain/17").body()).isEqualTo("17");
        assertThat(server.get("/plain/x").statusCode()).isEqualTo(400);
    }

    @Test
    void noEndpointShowsAKey() throws Exception {
        for (String endpoint :
                List.of("env", "configprops", "env/PUBLIC_ID_KEY", "env/snowflake.public-ids.keys%5B0%5D.secret")) {
            HttpResponse<String> response = server.get("/actuator/" + endpoint);

            assertThat(response.statusCode()).isEqualTo(200);
            assertThat(response.body()).doesNotContain(WebServer.KEY, WebServer.KEY.substring(0, 8));
        }
        assertThat(server.get("/actuator/env/server.port").body()).contains("\"0\"");
        assertThat(server.get("/actuator/env/PUBLIC_ID_KEY").body()).contains("******");
    }
}
