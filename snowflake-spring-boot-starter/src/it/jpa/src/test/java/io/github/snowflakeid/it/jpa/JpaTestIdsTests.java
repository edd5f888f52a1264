package io.github.snowflakeid.it.jpa;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.snowflakeid.test.TestIdGenerator;
import io.github.snowflakeid.test.autoconfigure.AutoConfigureTestIds;
import jakarta.persistence.EntityManager;
import org.junit.jupiter.api.RepeatedTest;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.context.TestPropertySource;

/** The test of docs/testing.md, in the slice of JPA. */
@JpaSlice
@AutoConfigureTestIds
@TestPropertySource(properties = "snowflake.worker.id=")
class JpaTestIdsTests {

    @Autowired
    private EntityManager entities;

    @Autowired
    private TestIdGenerator ids;

    @RepeatedTest(2)
    void entitiesHaveTheSameIdsInEachTest() {
        JpaEntities.LongId first = new JpaEntities.LongId();
        JpaEntities.Named second = new JpaEntities.Named();
        entities.persist(first);
        entities.persist(second);
        entities.flush();

        assertThat(first.id).isEqualTo(1);
        assertThat(second.id).isEqualTo(2);
        assertThat(ids.issued()).containsExactly(1L, 2L);
    }
}
