package io.github.snowflakeid.it.publicids;

import static org.assertj.core.api.Assertions.assertThat;

import com.jayway.jsonpath.DocumentContext;
import com.jayway.jsonpath.JsonPath;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.springframework.http.MediaType;
import org.springframework.http.converter.HttpMessageConverter;
import org.springframework.mock.http.MockHttpOutputMessage;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.servlet.mvc.method.annotation.MvcUriComponentsBuilder;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerAdapter;

class MvcTests extends PublicIdContract {

    MvcTests() {
        super("servlet");
    }

    @Override
    @SuppressWarnings("unchecked")
    Map<MediaType, Format> written() {
        Map<MediaType, Format> formats = new LinkedHashMap<>();
        for (HttpMessageConverter<?> each : converters()) {
            for (MediaType type : each.getSupportedMediaTypes()) {
                MediaType concrete = concrete(type);
                if (each.canWrite(OrderController.Receipt.class, concrete)) {
                    formats.putIfAbsent(concrete, object -> {
                        MockHttpOutputMessage body = new MockHttpOutputMessage();
                        ((HttpMessageConverter<Object>) each).write(object, concrete, body);
                        return body.getBodyAsBytes();
                    });
                }
            }
        }
        return formats;
    }

    @Override
    Set<MediaType> read() {
        return converters().stream()
                .flatMap(each -> each.getSupportedMediaTypes().stream()
                        .map(PublicIdContract::concrete)
                        .filter(type -> each.canRead(OrderController.Receipt.class, type)))
                .collect(Collectors.toSet());
    }

    private List<HttpMessageConverter<?>> converters() {
        return server.context.getBean(RequestMappingHandlerAdapter.class).getMessageConverters();
    }

    /** The client chooses the format, so each library on the class path is another way in which IDs could leak. */
    @Test
    void eachFormatOfJacksonIsAvailable() {
        assertThat(written().keySet())
                .isEqualTo(read())
                .extracting(MediaType::getSubtype)
                .contains("json", "vnd.shop+json", "yaml", "cbor", "x-jackson-smile", "xml");
    }

    @Test
    void linksToControllersHavePublicIds() {
        MockHttpServletRequest request = new MockHttpServletRequest();
        request.setAttribute(DispatcherServlet.WEB_APPLICATION_CONTEXT_ATTRIBUTE, server.context);
        RequestContextHolder.setRequestAttributes(new ServletRequestAttributes(request));
        try {
            assertThat(MvcUriComponentsBuilder.fromMethodName(OrderController.class, "product", ID)
                            .toUriString())
                    .isEqualTo("http://localhost/orders/" + publicIds.encode("order", ID));
            assertThat(MvcUriComponentsBuilder.fromMethodName(
                                    OrderController.class,
                                    "typed",
                                    new OrderController.OrderId(ID),
                                    new OrderController.LineId(7L),
                                    List.of())
                            .toUriString())
                    .isEqualTo("http://localhost/typed/%s?line=7".formatted(publicIds.encode("order", ID)));
        } finally {
            RequestContextHolder.resetRequestAttributes();
        }
    }

    @Test
    void springdocDescribesTextsAndShowsOne() throws Exception {
        DocumentContext api = JsonPath.parse(server.get("/v3/api-docs").body());

        for (String text : List.of(
                "$.paths['/orders/{id}'].get.parameters[0].schema",
                "$.components.schemas.PublicIdOrder.properties.id",
                "$.paths['/typed/{id}'].get.parameters[0].schema",
                "$.paths['/typed/{id}'].get.parameters[2].schema.items",
                "$.components.schemas.TypedOrder.properties.id",
                "$.components.schemas.TypedOrder.properties.related.items",
                "$.paths['/placed/{id}'].get.parameters[0].schema",
                "$.components.schemas.Placed.properties.order")) {
            assertThat(api.<Map<String, Object>>read(text))
                    .as(text)
                    .containsEntry("type", "string")
                    .containsEntry("pattern", "^[0-9A-Za-z]{19}$")
                    .containsEntry("example", publicIds.encode("order", 0))
                    .doesNotContainKey("format");
        }
        for (String text : List.of(
                "$.paths['/kinds/prefixed/{id}'].get.parameters[0].schema",
                "$.components.schemas.OfPrefixed.properties.id")) {
            assertThat(api.<Map<String, Object>>read(text))
                    .containsEntry("type", "string")
                    .containsEntry("pattern", "^ord_[0-9A-Za-z]{19}$")
                    .containsEntry("example", "ord_" + publicIds.encode("order", 0));
        }
        assertThat(api.<String>read("$.components.schemas.OfPlain.properties.id.pattern"))
                .isEqualTo("^inv_[0-9]{1,19}$");
        assertThat(api.<String>read("$.components.schemas.TypedOrder.properties.line.type"))
                .isEqualTo("integer");
        assertThat(api.<Map<String, Object>>read("$.components.schemas"))
                .doesNotContainKeys("OrderId", "LineId", "PlainId");
        assertThat(api.<String>read("$.components.schemas.PublicIdOrder.properties.lines.items.example"))
                .isEqualTo(publicIds.encode("line", 0));
        assertThat(api.<String>read("$.paths['/tickets/{id}'].get.parameters[0].schema.example"))
                .isEqualTo("0000000000000");
        assertThat(api.<String>read("$.paths['/plain/{id}'].get.parameters[0].schema.type"))
                .isEqualTo("integer");
    }
}
