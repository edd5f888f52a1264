package io.github.snowflakeid.publicid.web;

import io.github.snowflakeid.failure.ConfigurationException;
import io.github.snowflakeid.internal.json.JsonId;
import io.github.snowflakeid.internal.json.JsonIds;
import io.github.snowflakeid.internal.text.IdTextCodec;
import io.github.snowflakeid.internal.text.IdTextConverter;
import io.github.snowflakeid.internal.text.PublicIdErrors;
import java.lang.annotation.Annotation;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ResolvableType;
import org.springframework.core.convert.TypeDescriptor;
import org.springframework.http.HttpInputMessage;
import org.springframework.http.HttpOutputMessage;
import org.springframework.http.MediaType;
import org.springframework.http.converter.GenericHttpMessageConverter;
import org.springframework.http.converter.HttpMessageConverter;
import org.springframework.util.ClassUtils;
import org.springframework.util.MimeType;

/**
 * Fails for objects with IDs that kotlinx.serialization would write and read before Jackson does. It does not know the
 * annotations of IDs. Safe for use by any number of threads.
 */
final class SerializableIds implements GenericHttpMessageConverter<Object> {

    private static final Map<String, List<String>> FORMATS = Map.of(
            "json.Json", List.of("application/json", "application/*+json", "application/x-ndjson"),
            "cbor.Cbor", List.of("application/cbor"),
            "protobuf.ProtoBuf",
                    List.of("application/x-protobuf", "application/octet-stream", "application/vnd.google.protobuf"));

    private final JsonIds ids;
    private final IdTextConverter converter;
    private final List<MediaType> mediaTypes;
    private final Class<? extends Annotation> serializable;
    private final Map<Type, Optional<IdTextCodec>> known = new ConcurrentHashMap<>();

    SerializableIds(JsonIds ids, IdTextConverter converter) {
        this.ids = ids;
        this.converter = converter;
        String library = "kotlinx.serialization.";
        mediaTypes = FORMATS.entrySet().stream()
                .filter(format -> ClassUtils.isPresent(library + format.getKey(), null))
                .flatMap(format -> format.getValue().stream())
                .map(MediaType::valueOf)
                .toList();
        serializable =
                ClassUtils.resolveClassName(library + "Serializable", null).asSubclass(Annotation.class);
    }

    /** Moves this directly before the first converter of kotlinx.serialization. */
    void addTo(List<HttpMessageConverter<?>> converters) {
        converters.remove(this);
        for (int i = 0; i < converters.size(); i++) {
            if (converters.get(i).getClass().getSimpleName().startsWith("KotlinSerialization")) {
                converters.add(i, this);
                return;
            }
        }
    }

    /**
     * Returns the form of an ID that kotlinx.serialization would ignore; empty if it leaves the type to Jackson, or if
     * the type has no IDs.
     */
    Optional<IdTextCodec> formIn(ResolvableType type, @Nullable MimeType format) {
        boolean isSupported = format == null || mediaTypes.stream().anyMatch(each -> each.includes(format));
        return isSupported && isSerializable(type)
                ? known.computeIfAbsent(type.getType(), any -> formIn(type))
                : Optional.empty();
    }

    private boolean isSerializable(ResolvableType type) {
        ResolvableType[] parts = type.isArray() ? new ResolvableType[] {type.getComponentType()} : type.getGenerics();
        Class<?> raw = type.resolve(Object.class);
        return (parts.length > 0
                        || raw.isAnnotationPresent(serializable)
                        || (raw.getName().startsWith("java.lang.") && raw != Object.class))
                && Stream.of(parts).allMatch(this::isSerializable);
    }

    private Optional<IdTextCodec> formIn(ResolvableType type) {
        List<IdTextCodec> found = new ArrayList<>();
        converter.visit(new TypeDescriptor(type, null, null), type.toString(), (part, where) -> {
            JsonId id = ids.of(part.getType(), part::getAnnotation);
            // The number is what a value class is by itself.
            if (id != null && !(id.form().equals(IdTextCodec.NUMBER) && JsonIds.isValueClass(part.getType()))) {
                found.add(id.form());
            }
        });
        return found.stream().findFirst();
    }

    /** Returns the failure for a type with such an ID. */
    ConfigurationException failure(ResolvableType type) {
        return PublicIdErrors.serializable(formIn(type, null).orElse(IdTextCodec.NUMBER), type.toString());
    }

    @Override
    public List<MediaType> getSupportedMediaTypes() {
        return mediaTypes;
    }

    @Override
    public boolean canRead(Type type, @Nullable Class<?> context, @Nullable MediaType format) {
        return formIn(ResolvableType.forType(type), format).isPresent();
    }

    @Override
    public boolean canRead(Class<?> type, @Nullable MediaType format) {
        return canRead(type, null, format);
    }

    @Override
    public boolean canWrite(@Nullable Type type, Class<?> actual, @Nullable MediaType format) {
        return canRead(type == null ? actual : type, null, format);
    }

    @Override
    public boolean canWrite(Class<?> type, @Nullable MediaType format) {
        return canRead(type, null, format);
    }

    @Override
    public Object read(Type type, @Nullable Class<?> context, HttpInputMessage message) {
        throw failure(ResolvableType.forType(type));
    }

    @Override
    public Object read(Class<?> type, HttpInputMessage message) {
        throw failure(ResolvableType.forClass(type));
    }

    @Override
    public void write(Object object, @Nullable Type type, @Nullable MediaType format, HttpOutputMessage message) {
        throw failure(ResolvableType.forType(type == null ? object.getClass() : type));
    }

    @Override
    public void write(Object object, @Nullable MediaType format, HttpOutputMessage message) {
        throw failure(ResolvableType.forClass(object.getClass()));
    }
}
