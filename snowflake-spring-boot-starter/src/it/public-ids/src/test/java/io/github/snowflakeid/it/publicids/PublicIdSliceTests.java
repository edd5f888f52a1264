package io.github.snowflakeid.it.publicids;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.snowflakeid.IdGenerator;
import io.github.snowflakeid.test.autoconfigure.AutoConfigureTestIds;
import io.github.snowflakeid.text.PublicIds;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.autoconfigure.json.JsonTest;
import org.springframework.boot.test.json.JacksonTester;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.test.context.TestPropertySource;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.request.MockMvcRequestBuilders;

/** Test slices configure public IDs automatically. */
class PublicIdSliceTests {

    @Nested
    @MvcSlice
    @TestPropertySource(properties = "PUBLIC_ID_KEY=" + WebServer.KEY)
    class Mvc {

        @Test
        void hasPublicIds(@Autowired MockMvc mvc, @Autowired PublicIds publicIds) throws Exception {
            String order = publicIds.encode("order", PublicIdContract.ID);

            MockHttpServletResponse response = mvc.perform(MockMvcRequestBuilders.get("/receipts/" + order))
                    .andReturn()
                    .getResponse();

            assertThat(response.getContentAsString()).contains("\"order\":\"%s\"".formatted(order));
            assertThat(mvc.perform(MockMvcRequestBuilders.get("/receipts/1"))
                            .andReturn()
                            .getResponse()
                            .getStatus())
                    .isEqualTo(404);
        }
    }

    /** The slice configures no generator without the annotation. */
    @Nested
    @MvcSlice
    @AutoConfigureTestIds
    @TestPropertySource(properties = "PUBLIC_ID_KEY=" + WebServer.KEY)
    class MvcWithTestIds {

        @RepeatedTest(2)
        void hasTheSameIdsInEachTest(@Autowired IdGenerator ids) {
            assertThat(ids.nextId()).isEqualTo(1);
        }
    }

    @Nested
    @JsonTest
    @TestPropertySource(properties = "PUBLIC_ID_KEY=" + WebServer.KEY)
    class Json {

        @Autowired
        private JacksonTester<OrderController.Receipt> json;

        @Test
        void hasPublicIds(@Autowired PublicIds publicIds) throws Exception {
            OrderController.Receipt receipt = new OrderController.Receipt(7, List.of(8L));

            assertThat(json.write(receipt).getJson())
                    .isEqualTo("{\"order\":\"%s\",\"lines\":[\"%s\"]}"
                            .formatted(publicIds.encode("order", 7), publicIds.encode("line", 8)));
            assertThat(json.parseObject(json.write(receipt).getJson())).isEqualTo(receipt);
        }
    }

    @Nested
    @WebFluxSlice
    @TestPropertySource(properties = "PUBLIC_ID_KEY=" + WebServer.KEY)
    class WebFlux {

        @Test
        void hasPublicIds(@Autowired WebTestClient client, @Autowired PublicIds publicIds) {
            String order = publicIds.encode("order", PublicIdContract.ID);

            client.get()
                    .uri("/receipts/" + order)
                    .exchange()
                    .expectBody()
                    .jsonPath("$.order")
                    .isEqualTo(order);
            client.get().uri("/receipts/1").exchange().expectStatus().isNotFound();
        }
    }
}
