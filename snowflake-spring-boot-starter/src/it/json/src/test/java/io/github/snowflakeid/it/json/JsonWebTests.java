package io.github.snowflakeid.it.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.jayway.jsonpath.DocumentContext;
import com.jayway.jsonpath.JsonPath;
import io.github.snowflakeid.text.PublicIds;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;

@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT, properties = "snowflake.json.ids-as-strings=true")
@ExtendWith(OutputCaptureExtension.class)
class JsonWebTests {

    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    @Value("${local.server.port}")
    private int port;

    @Test
    void idsAreStringsInRequestsAndResponses() throws Exception {
        String order = "{\"id\":\"1541815603606036480\",\"quantity\":1,\"invoices\":[\"9223372036854775807\", 1]}";

        HttpResponse<String> response = post("/orders", order);

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.body())
                .contains("\"id\":\"1541815603606036480\"", "\"invoices\":[\"9223372036854775807\",\"1\"]");
        assertThat(post("/tickets/Ada", "").body()).containsPattern("\"id\":\"\\d{15,19}\"");
    }

    @Test
    void typedIdIsDigitsInRequestAndResponse() throws Exception {
        HttpResponse<String> response = CLIENT.send(
                HttpRequest.newBuilder(uri(port, "/customers/1541815603606036481?order=1&count=1"))
                        .build(),
                BodyHandlers.ofString());

        assertThat(response.body()).isEqualTo("\"1541815603606036481\"");
    }

    /** springdoc adds YAML, and with it a converter that every client can request. */
    @Test
    void idsAreStringsInTheFormatThatSpringdocBrings() throws Exception {
        HttpResponse<String> response = CLIENT.send(
                HttpRequest.newBuilder(uri(port, "/orders"))
                        .header("Content-Type", "application/yaml")
                        .header("Accept", "application/yaml")
                        .POST(BodyPublishers.ofString("id: 1541815603606036480\ninvoices: [\"7\", 8]\nquantity: 1\n"))
                        .build(),
                BodyHandlers.ofString());

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.body()).contains("id: \"1541815603606036480\"", "- \"7\"", "- \"8\"", "quantity: 1");
    }

    @Test
    void publicIdsAreTextsInTheFormatThatSpringdocBrings() throws Exception {
        try (ConfigurableApplicationContext context = SpringApplication.run(
                JsonShop.class,
                "--snowflake.json.ids-as-strings=true",
                "--snowflake.public-ids.keys[0].name=a",
                "--snowflake.public-ids.keys[0].secret=3q2+7wAAECAwQFBgcICQoLDA0ODw/x4tPEtaaXiHlqU=",
                "--server.port=0")) {
            int other = context.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
            String text = context.getBean(PublicIds.class).encode("seat", 42);

            HttpResponse<String> response = CLIENT.send(
                    HttpRequest.newBuilder(uri(other, "/seats/42"))
                            .header("Accept", "application/yaml")
                            .build(),
                    BodyHandlers.ofString());

            assertThat(response.headers().firstValue("Content-Type").orElseThrow())
                    .startsWith("application/yaml");
            assertThat(response.body()).contains("id: \"%s\"".formatted(text)).doesNotContain("42\n");
            assertThat(postSeat(other, "id: " + text)).isEqualTo(200);
            assertThat(postSeat(other, "id: 42")).isEqualTo(400);
            assertThat(postSeat(other, "id: \"42\"")).isEqualTo(400);
        }
    }

    private static int postSeat(int port, String yaml) throws Exception {
        return CLIENT.send(
                        HttpRequest.newBuilder(uri(port, "/seats"))
                                .header("Content-Type", "application/yaml")
                                .POST(BodyPublishers.ofString(yaml))
                                .build(),
                        BodyHandlers.ofString())
                .statusCode();
    }

    @Test
    void aBadIdIsABadRequest() throws Exception {
        assertThat(post("/orders", "{\"id\":\"1.5\",\"quantity\":1}").statusCode())
                .isEqualTo(400);
        assertThat(post("/orders", "{\"id\":1.5,\"quantity\":1}").statusCode()).isEqualTo(400);
    }

    @Test
    void springdocDescribesStrings() throws Exception {
        assertThatIdsAreStrings(apiOf(port));
    }

    @Test
    void springdocDescribesStringsInOpenApi30() throws Exception {
        try (ConfigurableApplicationContext context = SpringApplication.run(
                JsonShop.class,
                "--springdoc.api-docs.version=openapi_3_0",
                "--snowflake.json.ids-as-strings=true",
                "--server.port=0")) {
            DocumentContext api =
                    apiOf(context.getEnvironment().getRequiredProperty("local.server.port", Integer.class));

            assertThat(api.<String>read("$.openapi")).startsWith("3.0");
            assertThatIdsAreStrings(api);
        }
    }

    private static DocumentContext apiOf(int port) throws Exception {
        return JsonPath.parse(
                CLIENT.send(HttpRequest.newBuilder(uri(port, "/v3/api-docs")).build(), BodyHandlers.ofString())
                        .body());
    }

    private static void assertThatIdsAreStrings(DocumentContext api) {
        assertThat(api.<Map<String, Object>>read("$.components.schemas"))
                .containsOnlyKeys("JsonOrder", "JsonTicket", "Examples");
        for (String example : new String[] {
            "$.components.schemas.Examples.properties.id.example",
            "$.components.schemas.Examples.properties.customer.example",
            "$.paths['/examples/{id}'].get.parameters[0].example",
            "$.paths['/examples/{id}'].get.parameters[1].example"
        }) {
            assertThat(api.<Object>read(example)).as(example).isEqualTo("1541815603606036481");
        }
        assertThat(api.<Object>read("$.components.schemas.Examples.properties.count.example"))
                .isEqualTo(3);
        assertThat(api.<Object>read("$.paths['/examples/{id}'].get.parameters[2].example"))
                .isEqualTo(3);
        for (String attribute : new String[] {
            "JsonOrder.properties.id",
            "JsonOrder.properties.customer",
            "JsonOrder.properties.lines.items",
            "JsonOrder.properties.invoices.items",
            "JsonOrder.properties.payments.items",
            "JsonOrder.properties.parcels.additionalProperties",
            "JsonOrder.properties.voucher",
            "JsonOrder.properties.till",
            "JsonOrder.properties.batches.items.items",
            "JsonOrder.properties.offers.additionalProperties.items",
            "JsonTicket.properties.id",
            "JsonTicket.properties.seat"
        }) {
            assertThat(api.<Map<String, Object>>read("$.components.schemas." + attribute))
                    .as(attribute)
                    .containsEntry("type", "string")
                    .doesNotContainKey("format");
        }
        for (String schema :
                new String[] {"parameters[0].schema", "parameters[1].schema", "responses['200'].content['*/*'].schema"
                }) {
            assertThat(api.<Map<String, Object>>read("$.paths['/customers/{id}'].get." + schema))
                    .as(schema)
                    .containsEntry("type", "string")
                    .doesNotContainKey("format");
        }
        assertThat(api.<String>read("$.paths['/customers/{id}'].get.parameters[2].schema.type"))
                .isEqualTo("integer");
        assertThat(api.<String>read("$.components.schemas.JsonOrder.properties.quantity.type"))
                .isEqualTo("integer");
        assertThat(api.<String>read("$.components.schemas.JsonTicket.properties.number.type"))
                .isEqualTo("integer");
    }

    @Test
    void rejectsAValueThatIsNeitherTrueNorFalse(CapturedOutput output) {
        assertThatThrownBy(() -> SpringApplication.run(
                        JsonShop.class, "--snowflake.json.ids-as-strings=yess", "--server.port=0"))
                .isNotNull();

        assertThat(output)
                .contains("Property 'snowflake.json.ids-as-strings' must be true or false, but was 'yess'")
                .contains("Set true or false.");
    }

    private HttpResponse<String> post(String path, String body) throws Exception {
        return CLIENT.send(
                HttpRequest.newBuilder(uri(port, path))
                        .header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofString(body))
                        .build(),
                BodyHandlers.ofString());
    }

    private static URI uri(int port, String path) {
        return URI.create("http://localhost:" + port + path);
    }
}
