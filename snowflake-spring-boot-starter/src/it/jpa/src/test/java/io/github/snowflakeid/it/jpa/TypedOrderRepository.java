package io.github.snowflakeid.it.jpa;

import java.util.Collection;
import java.util.List;
import org.springframework.data.jpa.repository.JpaRepository;

public interface TypedOrderRepository extends JpaRepository<TypedIdTests.Order, TypedIdTests.OrderId> {

    List<TypedIdTests.Order> findByIdIn(Collection<TypedIdTests.OrderId> ids);

    List<TypedIdTests.Order> findByReplaces(TypedIdTests.OrderId id);
}
