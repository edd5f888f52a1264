package io.github.snowflakeid.it.datajdbc;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.springframework.data.relational.core.mapping.Embedded.OnEmpty.USE_NULL;

import io.github.snowflakeid.SnowflakeId;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.data.annotation.Id;
import org.springframework.data.jdbc.core.JdbcAggregateTemplate;
import org.springframework.data.relational.core.conversion.DbActionExecutionException;
import org.springframework.data.relational.core.mapping.Embedded;

/** IDs that are objects. Spring Data supports them since version 4. */
@SpringBootTest
class DataJdbcEmbeddedIdTests {

    @Autowired
    private JdbcAggregateTemplate template;

    @SnowflakeId
    record CrateId(Long id) {}

    record Crate(@Id @Embedded(onEmpty = USE_NULL) CrateId id, String name) {}

    @Test
    void embeddedIdIsRejected() {
        assertRejected(new Crate(null, "lost"));
        assertRejected(new Crate(new CrateId(null), "lost"));
        assertRejected(new Crate(new CrateId(4711L), "lost"));
    }

    private void assertRejected(Crate crate) {
        assertThatThrownBy(() -> template.save(crate)).isInstanceOf(DbActionExecutionException.class);
    }
}
