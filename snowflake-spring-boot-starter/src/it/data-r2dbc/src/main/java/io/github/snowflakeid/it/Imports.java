package io.github.snowflakeid.it;

import org.springframework.data.repository.reactive.ReactiveCrudRepository;

public interface Imports extends ReactiveCrudRepository<Import, Long> {}
