package io.github.snowflakeid.sample;

import java.util.List;
import java.util.Optional;
import org.springframework.data.domain.Limit;
import org.springframework.data.repository.Repository;

interface OrderRepository extends Repository<Order, OrderId> {

    Order save(Order order);

    Optional<Order> findById(OrderId id);

    /** Pages through the orders in the order of their creation, which is that of their ids. */
    List<Order> findByIdGreaterThanOrderById(OrderId after, Limit limit);

    /** Pages through the orders from the newest one on. */
    List<Order> findByIdLessThanOrderByIdDesc(OrderId before, Limit limit);

    /** Finds the orders of a span of time, which is a range of IDs. */
    List<Order> findByIdBetweenOrderById(OrderId first, OrderId last, Limit limit);
}
