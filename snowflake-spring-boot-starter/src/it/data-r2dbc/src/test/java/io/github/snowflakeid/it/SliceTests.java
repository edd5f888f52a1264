package io.github.snowflakeid.it;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

@DataR2dbcSlice
class SliceTests {

    @Autowired
    private Tickets tickets;

    @Test
    void sliceSavesRowsWithIds() {
        assertThat(tickets.save(new Ticket(null, "slice")).block().id()).isPositive();
    }
}
