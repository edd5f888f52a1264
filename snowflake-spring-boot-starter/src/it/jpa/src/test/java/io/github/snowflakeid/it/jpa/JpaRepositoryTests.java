package io.github.snowflakeid.it.jpa;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.transaction.annotation.Transactional;

@SpringBootTest
@Transactional
class JpaRepositoryTests {

    @Autowired
    private LongIdRepository repository;

    @Test
    void savesNewEntitiesAndThoseWithAnAssignedId() {
        JpaEntities.LongId fresh = new JpaEntities.LongId();
        fresh.text = "saved";
        JpaEntities.LongId assigned = new JpaEntities.LongId();
        assigned.id = 4711L;
        assigned.text = "saved";

        List<JpaEntities.LongId> saved = repository.saveAll(List.of(fresh, assigned));

        assertThat(saved.get(0).id).isPositive();
        assertThat(saved.get(1).id).isEqualTo(4711);
        assertThat(repository.findByText("saved")).containsExactlyInAnyOrderElementsOf(saved);
    }
}
