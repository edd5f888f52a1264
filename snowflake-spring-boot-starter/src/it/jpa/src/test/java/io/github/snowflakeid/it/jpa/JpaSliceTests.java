package io.github.snowflakeid.it.jpa;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.snowflakeid.SnowflakeIdGenerator;
import jakarta.persistence.EntityManager;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.context.TestPropertySource;

@JpaSlice
@TestPropertySource(properties = "snowflake.worker.id=")
class JpaSliceTests {

    @Autowired
    private EntityManager entities;

    @Autowired
    private SnowflakeIdGenerator generator;

    @Test
    void leasesAWorkerIdInTheDatabaseOfTheTest() {
        assertThat(generator.lease()).isPresent();
    }

    @Test
    void entitiesHaveIds() {
        JpaEntities.LongId annotated = new JpaEntities.LongId();
        JpaEntities.Named named = new JpaEntities.Named();
        entities.persist(annotated);
        entities.persist(named);
        entities.flush();

        assertThat(annotated.id).isPositive().isLessThan(named.id);
    }
}
