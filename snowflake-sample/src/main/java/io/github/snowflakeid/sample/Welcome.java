package io.github.snowflakeid.sample;

import io.github.snowflakeid.IdFields;
import io.github.snowflakeid.IdGenerator;
import io.github.snowflakeid.IdLayout;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/** Logs the first IDs after startup, and the commands to try next. */
@Component
class Welcome {

    private static final Logger log = LoggerFactory.getLogger(Welcome.class);

    private final IdGenerator ids;
    private final IdLayout layout;

    Welcome(IdGenerator ids, IdLayout layout) {
        this.ids = ids;
        this.layout = layout;
    }

    @EventListener
    void show(ApplicationReadyEvent ready) {
        long[] shown = ids.nextIds(3);
        for (long id : shown) {
            IdFields fields = layout.decode(id);
            log.info(
                    "{} = {}, datacenter {}, worker {}, sequence {}",
                    id,
                    fields.timestamp(),
                    fields.datacenterId(),
                    fields.workerId(),
                    fields.sequence());
        }
        if (ready.getApplicationContext() instanceof WebServerApplicationContext web && web.getWebServer() != null) {
            String address = "http://localhost:" + web.getWebServer().getPort();
            log.info("Shop is open at {}", address);
            log.info(
                    "Place an order: curl -H 'Content-Type: application/json' {}/orders -d '{}'",
                    address,
                    "{\"customer\": \"Ada\", \"lines\":"
                            + " [{\"product\": \"tea\", \"quantity\": 2, \"price\": 4.50}]}");
            log.info("List orders: curl {}/orders", address);
            log.info("Decode an ID: curl {}/ids/{}", address, shown[0]);
            log.info("Get IDs: curl '{}/ids?count=3'", address);
        }
    }
}
