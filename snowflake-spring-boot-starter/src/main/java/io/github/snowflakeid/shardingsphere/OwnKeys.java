package io.github.snowflakeid.shardingsphere;

import io.github.snowflakeid.IdGenerator;
import io.github.snowflakeid.IdLayout;
import io.github.snowflakeid.SnowflakeException;
import io.github.snowflakeid.SnowflakeIdGenerator;
import io.github.snowflakeid.internal.mapping.IdMappingException;
import io.github.snowflakeid.jdbc.JdbcRegistryException;
import io.github.snowflakeid.worker.LeaseTerms;
import io.github.snowflakeid.worker.WorkerIdAssigner;
import io.github.snowflakeid.worker.WorkerLease;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Those of a generator that the configuration of ShardingSphere describes. ShardingSphere makes key generators anew when its rules
 * change, and never ends one: so all with the same settings have one generator, as long as the process lives.
 */
final class OwnKeys implements Keys {

    private static final Log LOG = LogFactory.getLog(SnowflakeIdGenerator.class);

    /** Whoever comes while one is being made shares it, or the reason why there is none. */
    private static final Map<Settings, CompletableFuture<IdGenerator>> MADE = new ConcurrentHashMap<>();

    private final Settings settings;
    private final SnowflakeIdGenerator.Builder builder;
    private volatile @Nullable IdGenerator ids;

    OwnKeys(Settings settings) {
        this.settings = settings;
        IdLayout layout = settings.layout();
        builder = SnowflakeIdGenerator.builder()
                .name("shardingsphere")
                .layout(layout)
                .sequenceStart(settings.sequenceStart(layout));
        int datacenterId = settings.datacenterId(layout);
        if (settings.isLeased()) {
            LeaseTerms terms = LeaseTerms.of(settings.registry()).listener(OwnKeys::report);
            builder.lease(settings.hasDatacenterId() ? terms.datacenterId(datacenterId) : terms);
        } else {
            builder.worker(WorkerIdAssigner.fixed(datacenterId, settings.workerId(layout)));
        }
    }

    @Override
    public IdGenerator ids(String attribute) {
        IdGenerator known = ids;
        if (known == null) {
            known = madeOnce();
            ids = known;
        }
        return known;
    }

    private IdGenerator madeOnce() {
        CompletableFuture<IdGenerator> mine = new CompletableFuture<>();
        CompletableFuture<IdGenerator> others = MADE.putIfAbsent(settings, mine);
        if (others != null) {
            return join(others);
        }
        try {
            IdGenerator made = made();
            mine.complete(made);
            return made;
        } catch (RuntimeException | Error e) {
            MADE.remove(settings, mine);
            mine.completeExceptionally(e);
            throw e;
        }
    }

    private static IdGenerator join(CompletableFuture<IdGenerator> others) {
        try {
            return others.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw e;
        }
    }

    private IdGenerator made() {
        try {
            SnowflakeIdGenerator made = builder.build();
            LOG.info("Snowflake ids for ShardingSphere with worker id %d, datacenter id %d (%s), layout %s"
                    .formatted(
                            made.workerId().workerId(),
                            made.workerId().datacenterId(),
                            settings.isLeased() ? "leased" : "fixed",
                            made.layout()));
            return made;
        } catch (SnowflakeException e) {
            String why = String.valueOf(e.getMessage()).replace("snowflake.worker.jdbc.", "");
            IdMappingException failure =
                    new IdMappingException("Key generator '%s' of ShardingSphere: %s".formatted(TYPE, why), action(e));
            failure.initCause(e);
            throw failure;
        }
    }

    private static String action(SnowflakeException impossible) {
        return impossible.getCause() instanceof JdbcRegistryException ofDatabase
                        && ofDatabase.statements().isPresent()
                ? """
                Create the table:

                %s

                or let it be created:

                initialize-schema: always""".formatted(ofDatabase.statements().get())
                : "Correct the properties of the key generator, for example:\n\n" + Settings.EXAMPLE;
    }

    private static void report(WorkerLease lease) {
        if (lease.reason() != null) {
            LOG.warn("Lease of ShardingSphere's worker id " + lease.workerId() + ", datacenter id "
                    + lease.datacenterId() + " is " + lease.state() + ": " + lease.reason());
        }
    }
}
