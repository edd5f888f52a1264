package io.github.snowflakeid.publicid.web;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.core.ResolvableType;
import org.springframework.core.codec.Decoder;
import org.springframework.core.codec.Encoder;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferFactory;
import org.springframework.http.codec.CodecConfigurer;
import org.springframework.util.MimeType;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** {@link SerializableIds} as codecs of WebFlux and {@code WebClient}. */
final class SerializableCodecs {

    private SerializableCodecs() {}

    static void register(CodecConfigurer codecs, SerializableIds ids) {
        codecs.customCodecs().register(new Writing(ids));
        codecs.customCodecs().register(new Reading(ids));
    }

    private record Writing(SerializableIds ids) implements Encoder<Object> {

        @Override
        public boolean canEncode(ResolvableType type, @Nullable MimeType format) {
            return ids.formIn(type, format).isPresent();
        }

        @Override
        public Flux<DataBuffer> encode(
                Publisher<?> objects,
                DataBufferFactory buffers,
                ResolvableType type,
                @Nullable MimeType format,
                @Nullable Map<String, Object> hints) {
            return Flux.error(ids.failure(type));
        }

        @Override
        public List<MimeType> getEncodableMimeTypes() {
            return List.copyOf(ids.getSupportedMediaTypes());
        }
    }

    private record Reading(SerializableIds ids) implements Decoder<Object> {

        @Override
        public boolean canDecode(ResolvableType type, @Nullable MimeType format) {
            return ids.formIn(type, format).isPresent();
        }

        @Override
        public Flux<Object> decode(
                Publisher<DataBuffer> body,
                ResolvableType type,
                @Nullable MimeType format,
                @Nullable Map<String, Object> hints) {
            return Flux.error(ids.failure(type));
        }

        @Override
        public Mono<Object> decodeToMono(
                Publisher<DataBuffer> body,
                ResolvableType type,
                @Nullable MimeType format,
                @Nullable Map<String, Object> hints) {
            return Mono.error(ids.failure(type));
        }

        @Override
        public List<MimeType> getDecodableMimeTypes() {
            return List.copyOf(ids.getSupportedMediaTypes());
        }
    }
}
