package io.github.snowflakeid.it.publicids;

import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Bean;
import org.springframework.core.ResolvableType;
import org.springframework.http.MediaType;
import org.springframework.http.converter.HttpMessageConverters;
import org.springframework.http.converter.json.JacksonJsonHttpMessageConverter;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import tools.jackson.databind.JacksonModule;
import tools.jackson.databind.json.JsonMapper;

/** Mappers of the application, which Spring Boot uses in place of its mapper. */
final class OwnMapper {

    static final boolean CAN_BE_CHANGED = false;

    private OwnMapper() {}

    /** With a converter that another library has for its own types, and which does not need the module. */
    static class WithModule implements WebMvcConfigurer {

        @Override
        public void configureMessageConverters(HttpMessageConverters.ServerBuilder builder) {
            builder.addCustomConverter(new JacksonJsonHttpMessageConverter() {

                @Override
                public boolean canRead(ResolvableType type, MediaType mediaType) {
                    return false;
                }

                @Override
                public boolean canWrite(ResolvableType type, Class<?> valueClass, MediaType mediaType) {
                    return false;
                }
            });
        }

        @Bean
        JsonMapper jsonMapper(@Qualifier("snowflake.jackson3Module") JacksonModule ids) {
            return JsonMapper.builder().addModule(ids).build();
        }
    }

    static class WithoutModule {

        @Bean
        JsonMapper jsonMapper() {
            return JsonMapper.builder().build();
        }
    }
}
