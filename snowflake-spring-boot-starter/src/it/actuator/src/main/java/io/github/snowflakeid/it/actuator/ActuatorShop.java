package io.github.snowflakeid.it.actuator;

import io.github.snowflakeid.IdGenerator;
import io.github.snowflakeid.event.SnowflakeLeaseEvent;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.event.EventListener;

/** An application that listens to events of its lease. */
@SpringBootApplication
public class ActuatorShop {

    final List<SnowflakeLeaseEvent> events = new CopyOnWriteArrayList<>();

    @EventListener
    void on(SnowflakeLeaseEvent event) {
        events.add(event);
        System.out.println("event " + event.kind());
    }

    /** Needs the unnamed generator, which is lazy if there are named generators. */
    @Bean
    Supplier<Long> numbers(IdGenerator ids) {
        return ids::nextId;
    }

    public static void main(String[] args) {
        SpringApplication.run(ActuatorShop.class, args);
    }
}
