package io.github.snowflakeid.it.publicids;

import com.fasterxml.jackson.databind.Module;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Bean;

/** Mappers of the application, which Spring Boot uses in place of its mapper. */
final class OwnMapper {

    static final boolean CAN_BE_CHANGED = true;

    private OwnMapper() {}

    static class WithModule {

        @Bean
        ObjectMapper jsonMapper(@Qualifier("snowflake.jackson2Module") Module ids) {
            return new ObjectMapper().registerModule(ids);
        }
    }

    static class WithoutModule {

        @Bean
        ObjectMapper jsonMapper() {
            return new ObjectMapper();
        }
    }
}
