package io.github.snowflakeid.sample;

import java.util.List;
import java.util.Optional;
import org.springframework.data.domain.Limit;
import org.springframework.data.repository.Repository;

interface OrderRepository extends Repository<Order, OrderId> {

    Order save(Order order);

    Optional<Order> findById(OrderId id);

    /** Pages through the orders by creation time, which is the order of their IDs. */
    List<Order> findByIdGreaterThanOrderById(OrderId after, Limit limit);

    /** Pages through the orders, newest first. */
    List<Order> findByIdLessThanOrderByIdDesc(OrderId before, Limit limit);

    /** Finds the orders of a span of time, which is a range of IDs. */
    List<Order> findByIdBetweenOrderById(OrderId first, OrderId last, Limit limit);
}
