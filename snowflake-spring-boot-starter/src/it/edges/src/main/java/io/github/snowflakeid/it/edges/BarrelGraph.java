package io.github.snowflakeid.it.edges;

import io.github.snowflakeid.publicid.PublicId;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.springframework.graphql.data.method.annotation.Argument;
import org.springframework.graphql.data.method.annotation.QueryMapping;
import org.springframework.graphql.data.method.annotation.SchemaMapping;
import org.springframework.graphql.data.method.annotation.SubscriptionMapping;
import org.springframework.stereotype.Controller;
import reactor.core.publisher.Flux;

@Controller
public class BarrelGraph {

    public record BarrelSearch(BarrelId id) {}

    public record BarrelView(
            BarrelId id,
            @PublicId("barrel") long number,
            List<BarrelId> content,
            @PublicId("label") long[] ignored,
            int weight) {}

    @QueryMapping
    public BarrelView barrel(@Argument BarrelId id) {
        return new BarrelView(id, id.value(), List.of(id), new long[0], 7);
    }

    @QueryMapping
    public List<BarrelView> barrels(@Argument List<BarrelId> ids) {
        return ids.stream().map(this::barrel).toList();
    }

    @QueryMapping
    public BarrelView search(@Argument BarrelSearch by) {
        return barrel(by.id());
    }

    @SubscriptionMapping
    public Flux<BarrelId> moved() {
        return Flux.just(new BarrelId(42), new BarrelId(43));
    }

    @SchemaMapping(typeName = "BarrelView")
    public List<BarrelId> labels(BarrelView barrel) {
        return barrel.content();
    }

    @SchemaMapping(typeName = "BarrelView")
    public CompletableFuture<BarrelId> later(BarrelView barrel) {
        return CompletableFuture.completedFuture(barrel.id());
    }

    @SchemaMapping(typeName = "BarrelView")
    public Stream<BarrelId> streamed(BarrelView barrel) {
        return barrel.content().stream();
    }

    @SchemaMapping(typeName = "BarrelView")
    public Iterable<BarrelId> iterated(BarrelView barrel) {
        return () -> barrel.content().iterator();
    }
}
