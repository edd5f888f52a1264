package io.github.snowflakeid.it.datar2dbc;

import org.springframework.data.repository.reactive.ReactiveCrudRepository;

public interface R2dbcTicketRepository extends ReactiveCrudRepository<R2dbcTicket, Long> {}
