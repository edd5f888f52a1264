package io.github.snowflakeid.it.datajdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.snowflakeid.test.autoconfigure.AutoConfigureTestIds;
import org.junit.jupiter.api.RepeatedTest;
import org.springframework.beans.factory.annotation.Autowired;

@DataJdbcSlice
@AutoConfigureTestIds
class DataJdbcTestIdsTests {

    @Autowired
    private DataJdbcTicketRepository tickets;

    @RepeatedTest(2)
    void rowsHaveTheSameIdsInEachTest() {
        assertThat(tickets.save(new DataJdbcTicket(null, "first")).id()).isEqualTo(1);
        assertThat(tickets.save(new DataJdbcTicket(null, "second")).id()).isEqualTo(2);
    }
}
