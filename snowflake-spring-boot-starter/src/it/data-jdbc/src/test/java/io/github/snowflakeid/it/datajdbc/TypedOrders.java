package io.github.snowflakeid.it.datajdbc;

import java.util.Collection;
import java.util.List;
import org.springframework.data.jdbc.repository.query.Query;
import org.springframework.data.repository.ListCrudRepository;

interface TypedOrders extends ListCrudRepository<TypedOrder, TypedOrder.Number> {

    List<TypedOrder> findByReplaces(TypedOrder.Number id);

    List<TypedOrder> findByIdIn(Collection<TypedOrder.Number> ids);

    @Query("select * from typed_order where id = :id")
    TypedOrder read(TypedOrder.Number id);

    @Query("select id from typed_order where id in (:ids)")
    List<TypedOrder.Number> readIds(Collection<TypedOrder.Number> ids);

    @Query("select max(id) from typed_order")
    TypedOrder.Number readNewest();
}
