package io.github.snowflakeid.it.datajdbc;

import org.springframework.data.repository.ListCrudRepository;

public interface DataJdbcTicketRepository extends ListCrudRepository<DataJdbcTicket, Long> {}
