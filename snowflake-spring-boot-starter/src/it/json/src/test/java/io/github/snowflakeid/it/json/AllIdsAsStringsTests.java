package io.github.snowflakeid.it.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.Module;
import com.fasterxml.jackson.databind.json.JsonMapper;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.test.autoconfigure.json.JsonTest;
import org.springframework.boot.test.json.JacksonTester;

@JsonTest(properties = "snowflake.json.ids-as-strings=true")
class AllIdsAsStringsTests {

    private static final String TICKET =
            "{\"id\":\"1541815603606036480\",\"number\":2,\"seat\":\"1541815603606036481\",\"name\":\"Ada\"}";

    @Autowired
    private JacksonTester<JsonTicket> json;

    @Test
    void writesAttributesWithSnowflakeIdAsStrings() throws Exception {
        assertThat(json.write(ticket())).isEqualToJson(TICKET);
        assertThat(json.write(ticket()).getJson())
                .contains("\"id\":\"1541815603606036480\"", "\"seat\":\"1541815603606036481\"");
    }

    @Test
    void annotationsOfJacksonComeFirst() throws Exception {
        assertThat(json.write(ticket()).getJson()).contains("\"number\":2,");
    }

    @Test
    void readsStringsAndNumbers() throws Exception {
        assertThat(json.parseObject(TICKET)).usingRecursiveComparison().isEqualTo(ticket());
        assertThat(json.parseObject(TICKET.replaceAll("\"(\\d+)\"", "$1")))
                .usingRecursiveComparison()
                .isEqualTo(ticket());
    }

    @Test
    void rejectsInvalidIds() {
        assertThatThrownBy(() -> json.parse("{\"seat\": 1.5}"))
                .hasMessageStartingWith(
                        "Cannot deserialize value of type `java.lang.Long` from number 1.5: an ID must be a whole number");
    }

    @Test
    void anotherMapperMayHaveTheModule(@Autowired @Qualifier("snowflake.jackson2Module") Module module)
            throws Exception {
        JsonMapper mapper = JsonMapper.builder().addModule(module).build();

        assertThat(mapper.readTree(mapper.writeValueAsString(ticket()))).isEqualTo(mapper.readTree(TICKET));
    }

    private static JsonTicket ticket() {
        JsonTicket ticket = new JsonTicket();
        ticket.setId(1541815603606036480L);
        ticket.setNumber(2);
        ticket.setSeat(1541815603606036481L);
        ticket.setName("Ada");
        return ticket;
    }
}
