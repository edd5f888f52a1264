package io.github.snowflakeid.it.publicids;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.springframework.core.ResolvableType;
import org.springframework.core.codec.Encoder;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import org.springframework.http.MediaType;
import org.springframework.http.codec.EncoderHttpMessageWriter;
import org.springframework.http.codec.HttpMessageWriter;
import org.springframework.http.codec.ServerCodecConfigurer;

class WebFluxTests extends PublicIdContract {

    private static final ResolvableType RECEIPT = ResolvableType.forClass(OrderController.Receipt.class);

    WebFluxTests() {
        super("reactive");
    }

    @Override
    Map<MediaType, Format> written() {
        Map<MediaType, Format> formats = new LinkedHashMap<>();
        for (HttpMessageWriter<?> each :
                server.context.getBean(ServerCodecConfigurer.class).getWriters()) {
            for (MediaType type : each.getWritableMediaTypes(RECEIPT)) {
                MediaType concrete = concrete(type);
                if (each.canWrite(RECEIPT, concrete)) {
                    formats.putIfAbsent(concrete, object -> bytes(each, object, concrete));
                }
            }
        }
        return formats;
    }

    @SuppressWarnings("unchecked")
    private static byte[] bytes(HttpMessageWriter<?> writer, Object object, MediaType type) {
        DataBuffer buffer = ((Encoder<Object>) ((EncoderHttpMessageWriter<?>) writer).getEncoder())
                .encodeValue(
                        object,
                        DefaultDataBufferFactory.sharedInstance,
                        ResolvableType.forInstance(object),
                        type,
                        Map.of());
        byte[] bytes = new byte[buffer.readableByteCount()];
        buffer.read(bytes);
        return bytes;
    }

    @Override
    Set<MediaType> read() {
        return server.context.getBean(ServerCodecConfigurer.class).getReaders().stream()
                .flatMap(each -> each.getReadableMediaTypes(RECEIPT).stream()
                        .map(PublicIdContract::concrete)
                        .filter(type -> each.canRead(RECEIPT, type)))
                .collect(Collectors.toSet());
    }

    /** The encoders of Spring 7 for these types write no streams, and therefore no body. */
    @Override
    boolean isUnsupported(MediaType type) {
        return type.getSubtype().matches("cbor|(.+[+])?xml");
    }

    @Test
    void formatsOfJacksonAndEventsAreAvailable() {
        assertThat(written().keySet())
                .containsAll(read())
                .extracting(MediaType::getSubtype)
                .contains("json", "vnd.shop+json", "x-ndjson", "x-jackson-smile", "event-stream");
    }
}
