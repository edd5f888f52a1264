package io.github.snowflakeid.it.datamongodb;

import org.springframework.data.mongodb.repository.ReactiveMongoRepository;

public interface ReactiveMongoTicketRepository extends ReactiveMongoRepository<MongoTicket, Long> {}
