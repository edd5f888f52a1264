package io.github.snowflakeid.it.datajdbc;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.Import;
import org.springframework.data.jdbc.core.JdbcAggregateTemplate;
import org.springframework.data.jdbc.repository.config.AbstractJdbcConfiguration;

/** A test that configures Spring Data JDBC itself, without its slice. */
@PlainJdbcSlice
@Import(AbstractJdbcConfiguration.class)
class PlainJdbcSliceTests {

    @Test
    void setsIds(@Autowired JdbcAggregateTemplate template) {
        DataJdbcTicket saved = template.save(new DataJdbcTicket(null, "Hamlet"));

        assertThat(template.findById(saved.id(), DataJdbcTicket.class)).isEqualTo(saved);
    }
}
