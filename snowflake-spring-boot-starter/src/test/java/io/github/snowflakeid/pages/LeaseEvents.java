package io.github.snowflakeid.pages;

import io.github.snowflakeid.event.SnowflakeLeaseEvent;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

@Component
class LeaseEvents {

    private static final Logger LOG = LoggerFactory.getLogger(LeaseEvents.class);

    @EventListener
    void on(SnowflakeLeaseEvent event) {
        LOG.info("{} {}", event.generator(), event.kind());
    }
}
