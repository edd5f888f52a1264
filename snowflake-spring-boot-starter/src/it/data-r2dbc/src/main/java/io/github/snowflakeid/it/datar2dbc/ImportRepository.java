package io.github.snowflakeid.it.datar2dbc;

import org.springframework.data.repository.reactive.ReactiveCrudRepository;

public interface ImportRepository extends ReactiveCrudRepository<Import, Long> {}
