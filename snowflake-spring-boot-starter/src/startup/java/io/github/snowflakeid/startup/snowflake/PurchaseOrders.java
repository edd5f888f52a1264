package io.github.snowflakeid.startup.snowflake;

import java.util.List;
import org.springframework.data.jpa.repository.JpaRepository;

/** A repository. */
interface PurchaseOrders extends JpaRepository<PurchaseOrder, Long> {

    List<PurchaseOrder> findByCustomer(String customer);
}
