package io.github.snowflakeid.it.jpa;

import java.util.List;
import org.springframework.data.jpa.repository.JpaRepository;

public interface LongIdRepository extends JpaRepository<JpaEntities.LongId, Long> {

    List<JpaEntities.LongId> findByText(String text);
}
