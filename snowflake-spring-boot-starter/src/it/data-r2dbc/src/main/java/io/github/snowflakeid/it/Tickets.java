package io.github.snowflakeid.it;

import org.springframework.data.repository.reactive.ReactiveCrudRepository;

public interface Tickets extends ReactiveCrudRepository<Ticket, Long> {}
