package io.github.snowflakeid.sample;

import java.util.List;
import java.util.Optional;
import org.springframework.data.domain.Limit;
import org.springframework.data.repository.Repository;

interface OrderRepository extends Repository<Order, Long> {

    Order save(Order order);

    Optional<Order> findById(long id);

    /** Pages through the orders in the order of their creation, which is that of their ids. */
    List<Order> findByIdGreaterThanOrderById(long after, Limit limit);

    /** Pages through the orders from the newest one on. */
    List<Order> findByIdLessThanOrderByIdDesc(long before, Limit limit);
}
