package io.github.snowflakeid.it.datajdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.springframework.data.relational.core.mapping.Embedded.OnEmpty.USE_NULL;

import io.github.snowflakeid.SnowflakeId;
import io.github.snowflakeid.internal.failure.ConfigurationException;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.data.annotation.Id;
import org.springframework.data.jdbc.core.JdbcAggregateTemplate;
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
        assertThatExceptionOfType(ConfigurationException.class)
                .isThrownBy(() -> template.save(crate))
                .withMessage(
                        "Attribute 'id' of %s cannot get a Snowflake ID: it is an object, and Spring Data supports objects as IDs only since version 4",
                        Crate.class.getName())
                .satisfies(refused -> assertThat(refused.action().orElseThrow()).endsWith("""
                        Upgrade to Spring Boot 4, or use a number as the ID:

                        @Id
                        @SnowflakeId
                        private Long id;"""));
    }
}
