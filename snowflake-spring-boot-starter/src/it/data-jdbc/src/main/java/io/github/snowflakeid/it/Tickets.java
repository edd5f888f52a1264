package io.github.snowflakeid.it;

import org.springframework.data.repository.ListCrudRepository;

public interface Tickets extends ListCrudRepository<Ticket, Long> {}
