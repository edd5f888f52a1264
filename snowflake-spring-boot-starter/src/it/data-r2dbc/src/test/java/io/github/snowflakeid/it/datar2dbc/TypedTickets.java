package io.github.snowflakeid.it.datar2dbc;

import java.util.Collection;
import org.springframework.data.r2dbc.repository.Query;
import org.springframework.data.r2dbc.repository.R2dbcRepository;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

interface TypedTickets extends R2dbcRepository<TypedTicket, TypedTicket.Number> {

    Flux<TypedTicket> findByReplaces(TypedTicket.Number id);

    Flux<TypedTicket> findByIdIn(Collection<TypedTicket.Number> ids);

    @Query("select * from typed_ticket where id = :id")
    Mono<TypedTicket> read(TypedTicket.Number id);

    @Query("select max(id) from typed_ticket")
    Mono<TypedTicket.Number> readNewest();
}
