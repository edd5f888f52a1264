package io.github.snowflakeid.it.datamongodb;

import org.springframework.data.mongodb.repository.MongoRepository;

public interface MongoTicketRepository extends MongoRepository<MongoTicket, Long> {}
