package io.github.snowflakeid.autoconfigure;

import io.github.snowflakeid.SnowflakeIdGenerator;
import org.springframework.context.SmartLifecycle;

/**
 * Gives a leased worker id back when the context stops, and leases one again when it starts again, as after a restored
 * checkpoint. Stops after web servers have let their requests end, and before data sources are suspended.
 */
final class LeasedGeneratorLifecycle implements SmartLifecycle {

    private static final int BELOW_WEB_SERVERS = 1024;

    private final SnowflakeIdGenerator generator;
    private volatile boolean running;

    LeasedGeneratorLifecycle(SnowflakeIdGenerator generator) {
        this.generator = generator;
    }

    @Override
    public void start() {
        generator.reopen();
        running = true;
    }

    @Override
    public void stop() {
        running = false;
        if (generator.lease().isPresent()) {
            generator.close();
        }
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    @Override
    public int getPhase() {
        return BELOW_WEB_SERVERS;
    }

    /**
     * Spring 7 pauses cached contexts between tests; a worker id is not worth giving back for that. No override, since
     * Spring 6 does not ask.
     *
     * @return false
     */
    public boolean isPauseable() {
        return false;
    }
}
