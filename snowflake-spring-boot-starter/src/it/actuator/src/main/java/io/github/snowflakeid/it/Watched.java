package io.github.snowflakeid.it;

import io.github.snowflakeid.event.SnowflakeLeaseEvent;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.event.EventListener;

/** An application that listens to what becomes of its lease. */
@SpringBootApplication
public class Watched {

    final List<SnowflakeLeaseEvent> events = new CopyOnWriteArrayList<>();

    @EventListener
    void on(SnowflakeLeaseEvent event) {
        events.add(event);
        System.out.println("event " + event.kind());
    }

    public static void main(String[] args) {
        SpringApplication.run(Watched.class, args);
    }
}
