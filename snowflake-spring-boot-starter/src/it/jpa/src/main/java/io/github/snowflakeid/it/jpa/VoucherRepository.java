package io.github.snowflakeid.it.jpa;

import java.util.Collection;
import java.util.List;
import org.springframework.data.jpa.repository.JpaRepository;

public interface VoucherRepository extends JpaRepository<JpaEntities.Voucher, JpaEntities.VoucherId> {

    List<JpaEntities.Voucher> findByReplaces(JpaEntities.VoucherId id);

    List<JpaEntities.Voucher> findByIdIn(Collection<JpaEntities.VoucherId> ids);
}
