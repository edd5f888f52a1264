package io.github.snowflakeid.it;

import org.springframework.data.repository.ListCrudRepository;

public interface Orders extends ListCrudRepository<Order, Long> {}
