package io.github.snowflakeid.it.jmolecules;

import com.fasterxml.jackson.databind.ObjectMapper;

/** The JSON library of Spring Boot 3. */
record Json(ObjectMapper mapper) {

    String write(Object value) throws Exception {
        return mapper.writeValueAsString(value);
    }

    <T> T read(String json, Class<T> type) throws Exception {
        return mapper.readValue(json, type);
    }
}
