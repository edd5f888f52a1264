package io.github.snowflakeid.shardingsphere;

import io.github.snowflakeid.IdGenerator;
import io.github.snowflakeid.IdLayout;
import io.github.snowflakeid.SnowflakeException;
import io.github.snowflakeid.SnowflakeIdGenerator;
import io.github.snowflakeid.internal.failure.ConfigurationException;
import io.github.snowflakeid.internal.failure.Problem;
import io.github.snowflakeid.worker.LeaseTerms;
import io.github.snowflakeid.worker.WorkerIdAssigner;
import io.github.snowflakeid.worker.WorkerLease;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * A generator that the configuration of ShardingSphere describes. ShardingSphere creates key generators anew when its rules change, and
 * never closes one, so all key generators with equal properties share one generator until the process ends.
 */
final class StandaloneKeySource implements Function<String, IdGenerator> {

    private static final Log LOG = LogFactory.getLog(SnowflakeIdGenerator.class);

    private static final Map<KeyGeneratorProperties, IdGenerator> GENERATORS = new ConcurrentHashMap<>();

    private final KeyGeneratorProperties properties;
    private final SnowflakeIdGenerator.Builder builder;

    StandaloneKeySource(KeyGeneratorProperties properties) {
        this.properties = properties;
        IdLayout layout = properties.idLayout();
        builder = SnowflakeIdGenerator.builder()
                .name("shardingsphere")
                .layout(layout)
                .sequenceStart(properties.sequenceStart(layout));
        int datacenterId = properties.datacenterId(layout);
        if (properties.url() == null) {
            builder.worker(WorkerIdAssigner.fixed(datacenterId, properties.workerId(layout)));
        } else {
            LeaseTerms terms =
                    LeaseTerms.of(properties.registry(properties.url())).listener(StandaloneKeySource::report);
            builder.lease(properties.datacenterId() == null ? terms : terms.datacenterId(datacenterId));
        }
    }

    @Override
    public IdGenerator apply(String attribute) {
        IdGenerator known = GENERATORS.get(properties);
        return known == null ? GENERATORS.computeIfAbsent(properties, absent -> build()) : known;
    }

    private IdGenerator build() {
        try {
            SnowflakeIdGenerator ids = builder.build();
            LOG.info("Snowflake IDs for ShardingSphere with worker ID %d, datacenter ID %d (%s), layout %s"
                    .formatted(
                            ids.workerId().workerId(),
                            ids.workerId().datacenterId(),
                            properties.url() == null ? "fixed" : "leased",
                            ids.layout()));
            return ids;
        } catch (SnowflakeException e) {
            String action = e.getCause() instanceof ConfigurationException failure
                    ? failure.action().orElse(null)
                    : "Correct the properties of the key generator, for example:\n\n" + KeyGeneratorProperties.EXAMPLE;
            throw Problem.KEY_GENERATOR_PROPERTIES.exception(
                    "Key generator '%s' of ShardingSphere: %s"
                            .formatted(KeyGeneratorProperties.TYPE, ofKeyGenerator(String.valueOf(e.getMessage()))),
                    action == null ? null : ofKeyGenerator(action),
                    e);
        }
    }

    /** The key generator has properties of the same names as {@code snowflake.worker.jdbc}. */
    private static String ofKeyGenerator(String text) {
        return text.replace("snowflake.worker.jdbc.", "");
    }

    private static void report(WorkerLease lease) {
        if (lease.reason() != null) {
            LOG.warn("Lease of ShardingSphere's worker ID " + lease.workerId() + ", datacenter ID "
                    + lease.datacenterId() + " is " + lease.state() + ": " + lease.reason());
        }
    }
}
