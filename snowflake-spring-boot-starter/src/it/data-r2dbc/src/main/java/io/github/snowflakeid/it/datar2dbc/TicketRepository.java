package io.github.snowflakeid.it.datar2dbc;

import org.springframework.data.repository.reactive.ReactiveCrudRepository;

public interface TicketRepository extends ReactiveCrudRepository<Ticket, Long> {}
