package io.github.snowflakeid.it;

import java.util.List;
import org.springframework.data.jpa.repository.JpaRepository;

public interface LongIds extends JpaRepository<Entities.LongId, Long> {

    List<Entities.LongId> findByText(String text);
}
