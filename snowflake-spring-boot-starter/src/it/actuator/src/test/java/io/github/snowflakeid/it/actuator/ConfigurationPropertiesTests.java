package io.github.snowflakeid.it.actuator;

import static org.assertj.core.api.Assertions.assertThat;

import com.jayway.jsonpath.DocumentContext;
import com.jayway.jsonpath.JsonPath;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

/** The endpoint {@code configprops} shows all groups of properties, and never a secret. */
class ConfigurationPropertiesTests {

    private static final String URL = "jdbc:h2:mem:%s;DB_CLOSE_DELAY=-1;PASSWORD_HASH=FALSE";

    private static String report(String endpoint, String values) throws IOException, InterruptedException {
        try (ConfigurableApplicationContext context = SpringApplication.run(
                ActuatorShop.class,
                "--server.port=0",
                "--management.server.port=",
                "--management.endpoints.web.exposure.include=*",
                "--management.endpoint.%s.show-values=%s".formatted(endpoint, values),
                "--spring.datasource.url=jdbc:h2:mem:shop_" + endpoint + values,
                "--spring.datasource.username=sa",
                "--snowflake.worker.jdbc.url=" + URL.formatted("leases_" + endpoint + values),
                "--snowflake.worker.jdbc.username=sa",
                "--snowflake.worker.jdbc.password=tiger",
                "--snowflake.worker.jdbc.single-process=true",
                "--snowflake.clock.max-wait=3s",
                "--snowflake.generators.orders.layout=leaf",
                "--PUBLIC_ID_KEY=" + ActuatorTests.KEY)) {
            URI uri = URI.create("http://localhost:%s/actuator/%s"
                    .formatted(context.getEnvironment().getProperty("local.server.port"), endpoint));
            return HttpClient.newHttpClient()
                    .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString())
                    .body();
        }
    }

    @Test
    void allGroupsAreShownWithTheirValues() throws Exception {
        DocumentContext json = JsonPath.parse(report("configprops", "always"));
        List<String> prefixes = json.read("$..prefix");
        assertThat(prefixes)
                .contains(
                        "snowflake",
                        "snowflake.worker.jdbc",
                        "snowflake.json",
                        "snowflake.public-ids",
                        "snowflake.generators",
                        "management.health.snowflake");
        List<Map<String, Object>> leases = json.read("$..[?(@.prefix == 'snowflake.worker.jdbc')].properties");
        assertThat(leases)
                .singleElement()
                .satisfies(group -> assertThat(group)
                        .containsEntry("tableName", "snowflake_worker")
                        .containsEntry("password", "******"));
        List<Object> layout = json.read("$..properties.effective.orders.snowflake.layout");
        assertThat(layout).containsExactly("leaf");
        List<Object> inherited = json.read("$..properties.effective.orders.snowflake.clock.maxWait");
        assertThat(inherited).singleElement().asString().matches("PT3S|3[.0]*");
    }

    @Test
    void noSecretIsShown() throws Exception {
        for (String endpoint : List.of("configprops", "env")) {
            for (String values : List.of("never", "always")) {
                String report = report(endpoint, values);
                assertThat(report)
                        .as("%s, %s", endpoint, values)
                        .contains("snowflake")
                        .doesNotContain(ActuatorTests.KEY, "tiger", "PASSWORD_HASH");
                if (values.equals("never")) {
                    assertThat(Stream.of("leaf", "snowflake_worker")).noneMatch(report::contains);
                }
            }
        }
    }
}
