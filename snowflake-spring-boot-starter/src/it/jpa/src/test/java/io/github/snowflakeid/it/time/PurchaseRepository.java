package io.github.snowflakeid.it.time;

import io.github.snowflakeid.IdRange;
import io.github.snowflakeid.it.time.TimeShop.Purchase;
import java.util.List;
import org.springframework.data.domain.ScrollPosition;
import org.springframework.data.domain.Window;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.Query;

interface PurchaseRepository extends JpaRepository<Purchase, Long> {

    List<Purchase> findByIdBetween(long first, long last);

    @Query(
            "SELECT p FROM Purchase p WHERE p.id BETWEEN :#{#span.first()} AND :#{#span.last()} AND p.customer = :customer")
    List<Purchase> findByCustomer(String customer, IdRange span);

    List<Purchase> findTop100ByIdGreaterThanOrderById(long id);

    List<Purchase> findTop10ByOrderByIdDesc();

    Window<Purchase> findFirst100ByOrderById(ScrollPosition position);
}
