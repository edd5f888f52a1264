package io.github.snowflakeid.it.datajdbc;

import java.util.Collection;
import java.util.List;
import org.springframework.data.jdbc.repository.query.Query;
import org.springframework.data.repository.ListCrudRepository;

public interface DataJdbcVoucherRepository extends ListCrudRepository<DataJdbcVoucher, DataJdbcVoucher.Number> {

    List<DataJdbcVoucher> findByReplaces(DataJdbcVoucher.Number id);

    List<DataJdbcVoucher> findByIdIn(Collection<DataJdbcVoucher.Number> ids);

    @Query("select * from voucher where id = :id")
    List<DataJdbcVoucher> read(DataJdbcVoucher.Number id);
}
