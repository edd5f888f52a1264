package io.github.snowflakeid.typedids;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.snowflakeid.typedids.TypedOrders.Order;
import io.github.snowflakeid.typedids.TypedOrders.OrderId;
import io.github.snowflakeid.typedids.TypedOrders.Orders;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Import;
import org.springframework.data.jpa.repository.config.EnableJpaRepositories;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.client.HttpClientErrorException.NotFound;
import org.springframework.web.client.RestClient;
import org.springframework.web.server.ResponseStatusException;

/** The code of docs/typed-ids.md: a number in the database, a public ID in JSON and paths. */
@SpringBootTest(
        webEnvironment = WebEnvironment.RANDOM_PORT,
        properties = {
            "spring.config.location=optional:file:none.yml",
            "spring.datasource.generate-unique-name=true",
            "spring.jpa.hibernate.ddl-auto=create",
            "snowflake.public-ids.keys[0].name=a",
            "snowflake.public-ids.keys[0].secret=h6Y4QtQPIUbfN2Uz3whvOtgYDBp7fTzvWJK0HuwNwh8="
        })
class TypedIdsPageTests {

    @SpringBootApplication(proxyBeanMethods = false)
    @EnableJpaRepositories(considerNestedRepositories = true)
    @Import(OrderController.class)
    static class Shop {}

    @RestController
    static class OrderController {

        private final Orders orders;

        OrderController(Orders orders) {
            this.orders = orders;
        }

        record OrderView(OrderId id) {}

        @GetMapping("/orders/{id}")
        OrderView get(@PathVariable OrderId id) {
            return orders.findById(id)
                    .map(order -> new OrderView(order.id))
                    .orElseThrow(() -> new ResponseStatusException(HttpStatus.NOT_FOUND));
        }

        @PostMapping("/orders")
        OrderView place() {
            return new OrderView(orders.save(new Order()).id);
        }
    }

    @Autowired
    private Orders orders;

    @Test
    void orderIsFoundByThePublicIdOfTheAnswer(@LocalServerPort int port) {
        RestClient client = RestClient.create("http://localhost:" + port);
        String placed = client.post().uri("/orders").retrieve().body(String.class);
        String publicId = placed.replaceAll(".*\"id\":\"(.*?)\".*", "$1");

        assertThat(publicId)
                .hasSizeGreaterThan(15)
                .isNotEqualTo(Long.toString(orders.findAll().get(0).id.value()));
        assertThat(client.get().uri("/orders/{id}", publicId).retrieve().body(String.class))
                .isEqualTo(placed);

        orders.deleteAll();
        for (String text : List.of(publicId, "nonsense")) {
            assertThatThrownBy(() ->
                            client.get().uri("/orders/{id}", text).retrieve().body(String.class))
                    .isInstanceOf(NotFound.class);
        }
    }
}
