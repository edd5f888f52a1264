package io.github.snowflakeid.it.datajdbc;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

@DataJdbcSlice
class DataJdbcSliceTests {

    @Autowired
    private DataJdbcTicketRepository tickets;

    @Test
    void sliceSavesRowsWithIds() {
        assertThat(tickets.save(new DataJdbcTicket(null, "slice")).id()).isPositive();
    }
}
