package io.github.snowflakeid.it.edges;

import io.github.snowflakeid.publicid.PublicId;
import org.springframework.context.annotation.Bean;
import org.springframework.hateoas.server.mvc.WebMvcLinkBuilder;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerResponse;

/** Links of HATEOAS, and a functional endpoint. */
@RestController
public class BarrelLinks {

    @GetMapping("/links/typed/{id}")
    public ResponseEntity<String> typed(@PathVariable BarrelId id) {
        return path(WebMvcLinkBuilder.methodOn(BarrelLinks.class).typed(id));
    }

    @GetMapping("/links/number/{id}")
    public ResponseEntity<String> number(@PathVariable @PublicId("barrel") long id) {
        return path(WebMvcLinkBuilder.methodOn(BarrelLinks.class).number(id));
    }

    private static ResponseEntity<String> path(Object invocation) {
        return ResponseEntity.ok(WebMvcLinkBuilder.linkTo(invocation).toUri().getPath());
    }

    @Bean
    RouterFunction<ServerResponse> content() {
        return RouterFunctions.route()
                .POST("/functional", request -> ServerResponse.ok().body(request.body(BarrelClients.Content.class)))
                .build();
    }
}
