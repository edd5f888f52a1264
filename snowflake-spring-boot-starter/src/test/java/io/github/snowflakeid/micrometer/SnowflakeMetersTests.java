package io.github.snowflakeid.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.snowflakeid.LeaseTerms;
import io.github.snowflakeid.SnowflakeIdGenerator;
import io.github.snowflakeid.actuate.FailingRegistry;
import io.github.snowflakeid.actuate.TestGenerators;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class SnowflakeMetersTests {

    /**
     * The class loader of the calling thread may not see the driver, and the system class loader does not see the
     * contents of an executable jar.
     */
    @Test
    void storeIsReadWithTheClassLoaderOfItsRegistry() throws Exception {
        FailingRegistry registry = new FailingRegistry();
        BlockingQueue<ClassLoader> loaders = new LinkedBlockingQueue<>();
        SimpleMeterRegistry meters = new SimpleMeterRegistry();
        ClassLoader before = Thread.currentThread().getContextClassLoader();
        try (SnowflakeIdGenerator generator =
                SnowflakeIdGenerator.builder().lease(LeaseTerms.of(registry)).build()) {
            new SnowflakeMeters(TestGenerators.of(Map.of("leased", generator)), InstantSource.system()).bindTo(meters);
            registry.before(call -> {
                if (call.equals("read")) {
                    loaders.add(Thread.currentThread().getContextClassLoader());
                }
            });
            Thread.currentThread().setContextClassLoader(ClassLoader.getPlatformClassLoader());

            meters.get("snowflake.clock.skew").gauge().value();

            assertThat(loaders.poll(60, TimeUnit.SECONDS)).isSameAs(FailingRegistry.class.getClassLoader());
        } finally {
            Thread.currentThread().setContextClassLoader(before);
        }
    }
}
