package io.github.snowflakeid.it.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.snowflakeid.IdGenerator;
import io.github.snowflakeid.json.IdAsString;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.autoconfigure.json.JsonTest;
import org.springframework.boot.test.json.JacksonTester;
import org.springframework.context.ApplicationContext;

/** In a test slice without a generator. */
@JsonTest
class IdAsStringTests {

    private static final String STRINGS = """
            {"id":"9223372036854775807","customer":"1541815603606036480","lines":["1541815603606036481","2"],\
            "invoices":["1541815603606036483","4"],"payments":["5",null],"parcels":{"first":"6"},"voucher":"7","till":"8",\
            "batches":[["9"],[]],"offers":{"tea":["10"]},"quantity":3}""";

    @Autowired
    private JacksonTester<JsonOrder> json;

    @Autowired
    private JacksonTester<JsonTicket> tickets;

    @Autowired
    private JacksonTester<Bill> bills;

    @Test
    void writesStrings() throws Exception {
        JsonOrder order = new JsonOrder(
                Long.MAX_VALUE,
                1541815603606036480L,
                List.of(1541815603606036481L, 2L),
                new long[] {1541815603606036483L, 4L},
                new Long[] {5L, null},
                Map.of("first", 6L),
                Optional.of(7L),
                BigInteger.valueOf(8),
                List.of(new long[] {9}, new long[0]),
                Map.of("tea", List.of(10L)),
                3);

        assertThat(json.write(order).getJson()).isEqualTo(STRINGS);
    }

    @Test
    void readsItsOutput() throws Exception {
        assertThat(json.write(json.parseObject(STRINGS)).getJson()).isEqualTo(STRINGS);
    }

    @Test
    void readsNumbers() throws Exception {
        String numbers = STRINGS.replaceAll("\"(\\d+)\"", "$1");

        assertThat(numbers).contains("\"lines\":[1541815603606036481,2]");
        assertThat(json.write(json.parseObject(numbers)).getJson()).isEqualTo(STRINGS);
    }

    @Test
    void nullStaysNull() throws Exception {
        JsonOrder order = json.parseObject("""
                {"id": "1", "customer": null, "lines": null, "invoices": null, "payments": null, "parcels": null, "till": null,
                "batches": null, "offers": null, "quantity": 1}""");

        assertThat(json.write(order).getJson()).isEqualTo("""
                        {"id":"1","customer":null,"lines":null,"invoices":null,"payments":null,"parcels":null,"voucher":null,\
                        "till":null,"batches":null,"offers":null,"quantity":1}""");
    }

    @Test
    void manyIdsOfAnArrayAreRead() throws Exception {
        String ids = "\"1541815603606036480\",".repeat(99) + "1541815603606036480";

        assertThat(json.parseObject("{\"id\": 1, \"quantity\": 1, \"invoices\": [" + ids + "]}")
                        .invoices())
                .hasSize(100)
                .containsOnly(1541815603606036480L);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"\"",
                "\" \"",
                "\"null\"",
                "\"12a\"",
                "\"1.0\"",
                "\"0x1F\"",
                "\"9223372036854775808\"",
                "9223372036854775808",
                "1.5",
                "1.0",
                "1.5418156036060365E18",
                "true",
                "{}",
                "[1]"
            })
    void rejectsInvalidIds(String value) {
        for (String attribute : List.of(
                "\"id\": %s",
                "\"customer\": %s",
                "\"lines\": [%s]",
                "\"invoices\": [%s]",
                "\"payments\": [%s]",
                "\"parcels\": {\"a\": %s}",
                "\"till\": %s")) {
            assertThatThrownBy(() -> json.parse("{\"quantity\": 1, \"id\": 1, " + attribute.formatted(value) + "}"))
                    .as("%s", attribute.formatted(value))
                    .satisfies(failure -> assertThat(failure.getClass().getName())
                            .matches("(com.fasterxml|tools).jackson.*Exception"));
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"12a\" | Cannot deserialize value of type `java.lang.Long` from String \"12a\": not an ID",
                "1.5 | Cannot deserialize value of type `java.lang.Long` from number 1.5: an ID must be a whole number"
            })
    void reportsErrorsAsJacksonDoes(String value, String message) {
        assertThatThrownBy(() -> json.parse("{\"id\": 1, \"quantity\": 1, \"customer\": " + value + "}"))
                .hasMessageStartingWith(message);
    }

    @Test
    void rejectsOneIdIfThereAreSeveral() {
        assertThatThrownBy(() -> json.parse("{\"id\": 1, \"quantity\": 1, \"invoices\": \"1\"}"))
                .hasMessageContaining("Long[]`");
    }

    @Test
    void otherNumbersAreReadAsBefore() throws Exception {
        assertThat(json.parseObject("{\"id\": 1, \"quantity\": \"3\"}").quantity())
                .isEqualTo(3);
    }

    @Test
    void integersAreReadAndWrittenAlike() throws Exception {
        String strings = "{\"number\":\"7\",\"copy\":\"2147483647\"}";

        assertThat(bills.write(new Bill(7, Integer.MAX_VALUE)).getJson()).isEqualTo(strings);
        assertThat(bills.parseObject(strings)).isEqualTo(new Bill(7, Integer.MAX_VALUE));
        assertThat(bills.parseObject("{\"number\": null, \"copy\": 8}")).isEqualTo(new Bill(null, 8));
        for (String tooBig : List.of("2147483648", "\"2147483648\"", "\"-2147483649\"")) {
            assertThatThrownBy(() -> bills.parse("{\"number\": 7, \"copy\": " + tooBig + "}"))
                    .satisfies(failure -> assertThat(failure.getClass().getName())
                            .matches("(com.fasterxml|tools).jackson.*Exception"));
        }
    }

    record Bill(@IdAsString Integer number, @IdAsString int copy) {}

    @Test
    void attributesWithSnowflakeIdStayNumbersUnlessThatIsSet() throws Exception {
        JsonTicket ticket = new JsonTicket();
        ticket.setId(1541815603606036480L);

        assertThat(tickets.write(ticket).getJson()).contains("\"id\":1541815603606036480,");
    }

    @Test
    void needsNoGenerator(@Autowired ApplicationContext context) {
        assertThat(context.getBeansOfType(IdGenerator.class)).isEmpty();
    }
}
