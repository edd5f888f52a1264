package io.github.snowflakeid.publicid.web;

import io.github.snowflakeid.failure.ConfigurationException;
import io.github.snowflakeid.internal.json.JacksonModuleRegistrar;
import io.github.snowflakeid.internal.text.PublicIdErrors;
import io.github.snowflakeid.publicid.PublicId;
import io.github.snowflakeid.text.PublicIds;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.core.codec.Decoder;
import org.springframework.core.codec.Encoder;
import org.springframework.http.codec.json.Jackson2CodecSupport;
import org.springframework.http.converter.HttpMessageConverter;
import org.springframework.http.converter.json.AbstractJackson2HttpMessageConverter;
import org.springframework.util.ClassUtils;
import org.springframework.util.MimeType;
import org.springframework.util.ReflectionUtils;

/**
 * Registers the Jackson module of this library with the mapper of each converter and codec that uses Jackson. This is
 * necessary because clients choose the data format, and the mappers that Spring creates for YAML, CBOR and Smile do not
 * have the modules that Spring Boot registers with its own mappers.
 */
record BodyMappers(ObjectProvider<JacksonModuleRegistrar> registrars, ObjectProvider<PublicIds> publicIds) {

    /**
     * A sample of application objects. Converters of other libraries that only handle their own types do not support
     * it.
     */
    private record Example(@PublicId("example") long id) {}

    private static final boolean SPRING_SUPPORTS_JACKSON_2 = ClassUtils.isPresent(
            "org.springframework.http.converter.json.AbstractJackson2HttpMessageConverter",
            BodyMappers.class.getClassLoader());

    /** Is loaded only if Spring has the classes, which Spring 7 marks for removal. */
    private static final class Jackson2 {

        static @Nullable Object mapper(Object converter) {
            if (converter instanceof AbstractJackson2HttpMessageConverter jackson) {
                return jackson.getObjectMapper();
            }
            return converter instanceof Jackson2CodecSupport jackson ? jackson.getObjectMapper() : null;
        }
    }

    /**
     * Registers the module with the mapper of a converter.
     *
     * @param converter a converter of Spring MVC, or an encoder or decoder of WebFlux
     * @throws ConfigurationException if that is not possible although there are public IDs
     */
    void complete(Object converter) {
        @Nullable Object mapper = SPRING_SUPPORTS_JACKSON_2 ? Jackson2.mapper(converter) : null;
        if (mapper == null) {
            completeJackson3(converter);
        } else {
            registered(converter, mapper);
        }
    }

    /**
     * Sets another mapper for all types of a Spring 7 converter, because Jackson 3 mappers are immutable. Spring 7 is
     * not on the compile class path, hence the reflection. A mapper for JSON is not replaced, because the converter
     * also uses it for server-sent events, and would find no mapper for their media type.
     */
    private void completeJackson3(Object converter) {
        Method getter = ReflectionUtils.findMethod(converter.getClass(), "getMapper");
        Method setter =
                ReflectionUtils.findMethod(converter.getClass(), "registerMappersForType", Class.class, Consumer.class);
        if (getter == null || setter == null) {
            return;
        }
        Object usual = Objects.requireNonNull(ReflectionUtils.invokeMethod(getter, converter));
        Object mapper = registered(converter, usual);
        if (!mapper.equals(usual)) {
            Consumer<Map<Object, Object>> registrar =
                    mappers -> mediaTypes(converter).forEach(type -> mappers.put(type, mapper));
            ReflectionUtils.invokeMethod(setter, converter, Object.class, registrar);
        }
    }

    private static List<? extends MimeType> mediaTypes(Object converter) {
        if (converter instanceof HttpMessageConverter<?> mvc) {
            return mvc.getSupportedMediaTypes();
        }
        return converter instanceof Encoder<?> encoder
                ? encoder.getEncodableMimeTypes()
                : ((Decoder<?>) converter).getDecodableMimeTypes();
    }

    /** Returns the mapper that the converter should use. */
    private Object registered(Object converter, Object mapper) {
        Object used = mapper;
        for (JacksonModuleRegistrar each : registrars) {
            @Nullable Object registered = each.register(used);
            if (registered == null) {
                if (publicIds.getIfAvailable() != null && isForApplications(converter)) {
                    throw PublicIdErrors.withoutModule(converter);
                }
                return mapper;
            }
            used = registered;
        }
        return used;
    }

    private static boolean isForApplications(Object converter) {
        return !(converter instanceof HttpMessageConverter<?> mvc) || mvc.canWrite(Example.class, null);
    }
}
