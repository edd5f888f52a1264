package io.github.snowflakeid.autoconfigure;

import io.github.snowflakeid.SnowflakeIdGenerator;
import java.util.List;
import org.springframework.context.SmartLifecycle;

/**
 * Gives leased worker ids back when the context stops, and leases them again when it starts again, as after a restored
 * checkpoint. Stops after web servers have let their requests end, and before data sources are suspended.
 */
final class LeasedGeneratorLifecycle implements SmartLifecycle {

    private static final int BELOW_WEB_SERVERS = 1024;

    private final List<SnowflakeIdGenerator> generators;
    private volatile boolean running;

    LeasedGeneratorLifecycle(List<SnowflakeIdGenerator> generators) {
        this.generators = generators;
    }

    @Override
    public void start() {
        generators.forEach(SnowflakeIdGenerator::reopen);
        running = true;
    }

    @Override
    public void stop() {
        running = false;
        generators.stream().filter(generator -> generator.lease().isPresent()).forEach(SnowflakeIdGenerator::close);
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
