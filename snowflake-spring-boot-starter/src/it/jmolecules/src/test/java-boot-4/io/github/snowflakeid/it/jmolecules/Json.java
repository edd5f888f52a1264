package io.github.snowflakeid.it.jmolecules;

import tools.jackson.databind.json.JsonMapper;

/** The JSON library of Spring Boot 4. */
record Json(JsonMapper mapper) {

    String write(Object value) {
        return mapper.writeValueAsString(value);
    }

    <T> T read(String json, Class<T> type) {
        return mapper.readValue(json, type);
    }
}
