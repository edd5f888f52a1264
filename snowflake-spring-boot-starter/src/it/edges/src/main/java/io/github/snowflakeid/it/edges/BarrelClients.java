package io.github.snowflakeid.it.edges;

import io.github.snowflakeid.publicid.PublicId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.cloud.openfeign.EnableFeignClients;
import org.springframework.cloud.openfeign.FeignClient;
import org.springframework.cloud.openfeign.SpringQueryMap;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.util.MultiValueMap;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.support.RestClientAdapter;
import org.springframework.web.service.annotation.GetExchange;
import org.springframework.web.service.annotation.PostExchange;
import org.springframework.web.service.invoker.HttpServiceProxyFactory;

/** Clients of other services. */
@Configuration
@EnableFeignClients(clients = BarrelClients.FeignBarrels.class)
public class BarrelClients {

    public record Content(
            BarrelId barrel, @PublicId("barrel") long number) {}

    @FeignClient(name = "barrels", url = "${echo.url}")
    public interface FeignBarrels {

        @GetMapping("/typed/{id}")
        String typed(
                @PathVariable("id") BarrelId id,
                @RequestParam("more") List<BarrelId> more,
                @RequestHeader("X-Barrel") BarrelId header);

        @GetMapping("/number/{id}")
        String number(
                @PathVariable("id") @PublicId("barrel") long id,
                @RequestParam("more") @PublicId("barrel") List<Long> more,
                @RequestHeader("X-Barrel") @PublicId("barrel") Long header);

        @GetMapping("/query")
        String query(@SpringQueryMap BarrelPages.BarrelForm query);

        @PostMapping("/content")
        String post(@RequestBody Content content);
    }

    public interface ExchangedBarrels {

        @GetExchange("/typed/{id}")
        String typed(
                @PathVariable BarrelId id,
                @RequestParam List<BarrelId> more,
                @RequestHeader("X-Barrel") BarrelId header);

        @GetExchange("/number/{id}")
        String number(
                @PathVariable @PublicId("barrel") long id,
                @RequestParam @PublicId("barrel") long[] more,
                @RequestHeader("X-Barrel") @PublicId("barrel") Optional<Long> header);

        @GetExchange("/several")
        String several(
                @RequestParam Map<String, Object> parameters, @RequestHeader MultiValueMap<String, BarrelId> headers);

        @GetExchange("/attribute")
        String attribute(@RequestAttribute BarrelId barrel);

        @PostExchange("/content")
        String post(@RequestBody Content content);
    }

    @Bean
    ExchangedBarrels exchangedBarrels(RestClient.Builder builder, @Value("${echo.url}") String url) {
        return HttpServiceProxyFactory.builderFor(
                        RestClientAdapter.create(builder.baseUrl(url).build()))
                .build()
                .createClient(ExchangedBarrels.class);
    }
}
