package io.github.snowflakeid.it.jpa;

import java.util.Collection;
import java.util.List;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.Query;

public interface TypedOrderRepository extends JpaRepository<TypedIdTests.Order, TypedIdTests.OrderId> {

    List<TypedIdTests.Order> findByIdIn(Collection<TypedIdTests.OrderId> ids);

    List<TypedIdTests.Order> findByReplaces(TypedIdTests.OrderId id);

    @Query("select max(o.id) from TypedOrder o")
    TypedIdTests.OrderId findNewestId();

    @Query("select o.id from TypedOrder o where o.id in ?1")
    List<TypedIdTests.OrderId> findIds(Collection<TypedIdTests.OrderId> ids);

    @Query(value = "select max(id) from typed_order", nativeQuery = true)
    TypedIdTests.OrderId findNewestIdByNativeQuery();
}
