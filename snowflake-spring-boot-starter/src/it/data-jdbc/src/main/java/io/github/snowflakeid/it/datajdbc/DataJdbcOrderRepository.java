package io.github.snowflakeid.it.datajdbc;

import org.springframework.data.repository.ListCrudRepository;

public interface DataJdbcOrderRepository extends ListCrudRepository<DataJdbcOrder, Long> {}
