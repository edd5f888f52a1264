package io.github.snowflakeid.it.time;

import io.github.snowflakeid.SnowflakeId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** An application that finds rows by the time in their IDs. */
@SpringBootApplication
class TimeShop {

    @Entity(name = "Purchase")
    static class Purchase {

        @Id
        @SnowflakeId
        Long id;

        String customer;

        protected Purchase() {}

        Purchase(String customer) {
            this.customer = customer;
        }
    }
}
