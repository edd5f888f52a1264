package io.github.snowflakeid.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.transaction.annotation.Transactional;

@SpringBootTest
@Transactional
class RepositoryTests {

    @Autowired
    private LongIds repository;

    @Test
    void savesNewEntitiesAndThoseWithAnAssignedId() {
        Entities.LongId fresh = new Entities.LongId();
        fresh.text = "saved";
        Entities.LongId assigned = new Entities.LongId();
        assigned.id = 4711L;
        assigned.text = "saved";

        List<Entities.LongId> saved = repository.saveAll(List.of(fresh, assigned));

        assertThat(saved.get(0).id).isPositive();
        assertThat(saved.get(1).id).isEqualTo(4711);
        assertThat(repository.findByText("saved")).containsExactlyInAnyOrderElementsOf(saved);
    }
}
