package io.github.snowflakeid.it.datar2dbc;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

@DataR2dbcSlice
class R2dbcSliceTests {

    @Autowired
    private TicketRepository tickets;

    @Test
    void sliceSavesRowsWithIds() {
        assertThat(tickets.save(new Ticket(null, "slice")).block().id()).isPositive();
    }
}
