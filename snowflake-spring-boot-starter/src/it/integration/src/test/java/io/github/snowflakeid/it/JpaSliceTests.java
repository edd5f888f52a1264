package io.github.snowflakeid.it;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.persistence.EntityManager;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

@JpaSlice
class JpaSliceTests {

    @Autowired
    private EntityManager entities;

    @Test
    void entitiesHaveIds() {
        Entities.LongId annotated = new Entities.LongId();
        Entities.Named named = new Entities.Named();
        entities.persist(annotated);
        entities.persist(named);
        entities.flush();

        assertThat(annotated.id).isPositive().isLessThan(named.id);
    }
}
