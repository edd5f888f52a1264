package io.github.snowflakeid.benchmark;

import com.github.f4b6a3.tsid.TsidFactory;
import com.github.yitter.contract.IdGeneratorException;
import com.github.yitter.contract.IdGeneratorOptions;
import com.github.yitter.idgen.DefaultIdGenerator;
import com.xfvape.uid.impl.CachedUidGenerator;
import com.xfvape.uid.impl.DefaultUidGenerator;
import io.github.snowflakeid.IdLayout;
import io.github.snowflakeid.LeaseTerms;
import io.github.snowflakeid.SnowflakeIdGenerator;
import io.github.snowflakeid.WorkerIdAssigner;
import io.github.snowflakeid.segment.InMemorySegmentStore;
import io.github.snowflakeid.segment.SegmentIdGenerator;
import io.github.snowflakeid.worker.InMemoryRegistry;
import io.hypersistence.tsid.TSID;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import me.ahoo.cosid.segment.IdSegmentDistributor;
import me.ahoo.cosid.segment.SegmentChainId;
import me.ahoo.cosid.snowflake.MillisecondSnowflakeId;
import org.agrona.concurrent.SystemEpochClock;
import org.hibernate.id.IdentifierGeneratorHelper;
import org.hibernate.id.IntegralDataTypeHolder;
import org.hibernate.id.enhanced.AccessCallback;
import org.hibernate.id.enhanced.PooledOptimizer;

/** ID generators, ours and others, each set up as its own documentation recommends. */
public enum Peer {
    ATOMIC_LONG("`AtomicLong.getAndIncrement`", Limit.NONE) {
        @Override
        Source make(Limit limit) {
            AtomicLong atomic = new AtomicLong();
            return Source.withoutTime(() -> atomic::getAndIncrement);
        }
    },
    CLOCK("`System.currentTimeMillis`", Limit.NONE) {
        @Override
        Source make(Limit limit) {
            return Source.withoutTime(() -> System::currentTimeMillis);
        }
    },
    OURS("snowflake, fixed worker id", Limit.NONE, Limit.TWITTER) {
        @Override
        Source make(Limit limit) {
            return ours(SnowflakeIdGenerator.builder()
                    .layout(layout(limit))
                    .worker(WorkerIdAssigner.fixed(0, 0))
                    .maxDrift(Duration.ZERO)
                    .build());
        }
    },
    OURS_LEASED("snowflake, leased worker id, `maxDrift` 1 s", Limit.NONE, Limit.TWITTER) {
        @Override
        Source make(Limit limit) {
            return ours(SnowflakeIdGenerator.builder()
                    .layout(layout(limit))
                    .lease(LeaseTerms.of(new InMemoryRegistry(Instant::now)))
                    .build());
        }
    },
    AGRONA("Agrona `SnowflakeIdGenerator`", Limit.NONE, Limit.TWITTER) {
        @Override
        Source make(Limit limit) {
            int sequenceBits = limit == Limit.NONE ? 21 : 12;
            org.agrona.concurrent.SnowflakeIdGenerator generator =
                    new org.agrona.concurrent.SnowflakeIdGenerator(1, sequenceBits, 0, 0, SystemEpochClock.INSTANCE);
            return new Source(() -> generator::nextId, 0, 1 + sequenceBits, 1);
        }
    },
    COSID("CosId `MillisecondSnowflakeId`", Limit.NONE, Limit.TWITTER) {
        @Override
        Source make(Limit limit) {
            int sequenceBits = limit == Limit.NONE ? 21 : 12;
            long epoch = 1_577_203_200_000L;
            MillisecondSnowflakeId generator = new MillisecondSnowflakeId(epoch, 41, 1, sequenceBits, 0);
            return new Source(() -> generator::generate, epoch, 1 + sequenceBits, 1);
        }
    },
    COSID_SEGMENT("CosId `SegmentChainId` (no time in the id)", Limit.NONE) {
        @Override
        Source make(Limit limit) {
            SegmentChainId generator = new SegmentChainId(new IdSegmentDistributor.Atomic(1000));
            return Source.withoutTime(() -> generator::generate);
        }
    },
    OURS_SEGMENT("snowflake, segments of up to 100,000", Limit.NONE) {
        @Override
        Source make(Limit limit) {
            return segments(100_000);
        }
    },
    OURS_LONG_SEGMENT("snowflake, segments of up to 1,000,000,000", Limit.NONE) {
        @Override
        Source make(Limit limit) {
            return segments(1_000_000_000);
        }
    },
    HIBERNATE_POOLED("Hibernate `PooledOptimizer` of 1000", Limit.NONE) {
        @Override
        Source make(Limit limit) {
            PooledOptimizer optimizer = new PooledOptimizer(Long.class, 1000);
            Sequence sequence = new Sequence(1000);
            return Source.withoutTime(() -> () -> (Long) optimizer.generate(sequence));
        }
    },
    TSID_CREATOR("tsid-creator", Limit.NONE, Limit.TWITTER) {
        @Override
        Source make(Limit limit) {
            TsidFactory factory = TsidFactory.builder()
                    .withNodeBits(limit == Limit.NONE ? 0 : 10)
                    .withNode(0)
                    .build();
            return new Source(() -> () -> factory.create().toLong(), 1_577_836_800_000L, 22, 1);
        }
    },
    HYPERSISTENCE("hypersistence-tsid", Limit.NONE, Limit.TWITTER) {
        @Override
        Source make(Limit limit) {
            TSID.Factory factory = TSID.Factory.builder()
                    .withNodeBits(limit == Limit.NONE ? 0 : 10)
                    .withNode(0)
                    .build();
            return new Source(() -> () -> factory.generate().toLong(), 1_577_836_800_000L, 22, 1);
        }
    },
    BAIDU("Baidu `DefaultUidGenerator`", Limit.NONE) {
        @Override
        Source make(Limit limit) {
            return baidu(new DefaultUidGenerator());
        }
    },
    BAIDU_CACHED("Baidu `CachedUidGenerator`", Limit.NONE) {
        @Override
        Source make(Limit limit) {
            return baidu(new CachedUidGenerator());
        }
    },
    YITTER("yitter", Limit.NONE, Limit.TWITTER) {
        @Override
        Source make(Limit limit) {
            IdGeneratorOptions options = new IdGeneratorOptions((short) 0);
            options.WorkerIdBitLength = 1;
            options.SeqBitLength = (byte) (limit == Limit.NONE ? 21 : 12);
            try {
                DefaultIdGenerator generator = new DefaultIdGenerator(options);
                return new Source(() -> generator::newLong, options.BaseTime, 1 + options.SeqBitLength, 1);
            } catch (IdGeneratorException e) {
                throw new IllegalStateException(e);
            }
        }
    },
    MYBATIS_PLUS("MyBatis-Plus `Sequence`", Limit.TWITTER) {
        @Override
        Source make(Limit limit) {
            com.baomidou.mybatisplus.core.toolkit.Sequence generator =
                    new com.baomidou.mybatisplus.core.toolkit.Sequence(0, 0);
            return new Source(() -> generator::nextId, 1_288_834_974_657L, 22, 1);
        }
    },
    HUTOOL("Hutool `Snowflake`", Limit.TWITTER) {
        @Override
        Source make(Limit limit) {
            cn.hutool.core.lang.Snowflake generator = new cn.hutool.core.lang.Snowflake(0, 0);
            return new Source(() -> generator::nextId, 1_288_834_974_657L, 22, 1);
        }
    };

    /** The number of IDs that a layout allows. */
    public enum Limit {
        /** More than any machine generates: 20 bits and more for the sequence. */
        NONE,
        /** 12 bits: 4,096,000 IDs a second. */
        TWITTER
    }

    /**
     * A generator that all threads share.
     *
     * @param callers creates the function by which one thread requests IDs. Each thread has its own, because memory
     *     that all threads read must not be next to memory that all threads write
     * @param epochMillis the epoch of its timestamp
     * @param shift the lowest bit of its timestamp; negative if there is none
     * @param tickMillis the unit of its timestamp
     * @param end closes it
     */
    record Source(Supplier<LongSupplier> callers, long epochMillis, int shift, long tickMillis, Runnable end) {

        Source(Supplier<LongSupplier> callers, long epochMillis, int shift, long tickMillis) {
            this(callers, epochMillis, shift, tickMillis, () -> {});
        }

        static Source withoutTime(Supplier<LongSupplier> callers) {
            return new Source(callers, 0, -1, 1);
        }

        LongSupplier caller() {
            return callers.get();
        }

        boolean timed() {
            return shift >= 0;
        }

        long millisOf(long id) {
            return epochMillis + (id >>> shift) * tickMillis;
        }
    }

    /** A database's sequence that answers at once. */
    private record Sequence(AtomicLong last, int increment) implements AccessCallback {

        Sequence(int increment) {
            this(new AtomicLong(1 - increment), increment);
        }

        @Override
        public IntegralDataTypeHolder getNextValue() {
            return IdentifierGeneratorHelper.getIntegralDataTypeHolder(Long.class)
                    .initialize(last.addAndGet(increment));
        }

        @Override
        public String getTenantIdentifier() {
            return null;
        }
    }

    final String shown;
    private final Set<Limit> limits;

    Peer(String shown, Limit... limits) {
        this.shown = shown;
        this.limits = Set.of(limits);
    }

    /** Whether it supports such a layout. */
    boolean has(Limit limit) {
        return limits.contains(limit);
    }

    /** Whether it generates IDs. Otherwise, it is only a reference. */
    boolean isGenerator() {
        return this != ATOMIC_LONG && this != CLOCK;
    }

    abstract Source make(Limit limit);

    static IdLayout layout(Limit limit) {
        return limit == Limit.NONE
                ? IdLayout.builder()
                        .timestampBits(37)
                        .datacenterBits(0)
                        .workerBits(0)
                        .sequenceBits(26)
                        .build()
                : IdLayout.DEFAULT;
    }

    private static Source segments(long maxStep) {
        SegmentIdGenerator generator = SegmentIdGenerator.builder()
                .name("numbers")
                .store(new InMemorySegmentStore())
                .maxStep(maxStep)
                .build();
        return new Source(() -> generator::nextId, 0, -1, 1, generator::close);
    }

    private static Source ours(SnowflakeIdGenerator generator) {
        IdLayout layout = generator.layout();
        return new Source(
                () -> generator::nextId,
                layout.epoch().toEpochMilli(),
                layout.datacenterBits() + layout.workerBits() + layout.sequenceBits(),
                1,
                generator::close);
    }

    /** The bits of its timestamp, worker ID and sequence: as wide as possible, or its defaults. */
    private static Source baidu(DefaultUidGenerator generator) {
        boolean cached = generator instanceof CachedUidGenerator;
        if (!cached) {
            generator.setTimeBits(31);
            generator.setWorkerBits(1);
            generator.setSeqBits(31);
        }
        generator.setEpochStr("2025-01-01");
        generator.setWorkerIdAssigner(() -> 0);
        try {
            generator.afterPropertiesSet();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
        long epoch = LocalDate.of(2025, 1, 1)
                .atStartOfDay(ZoneId.systemDefault())
                .toInstant()
                .toEpochMilli();
        Supplier<LongSupplier> callers = cached ? () -> () -> patiently(generator) : () -> generator::getUID;
        return new Source(callers, epoch, cached ? 35 : 32, 1000);
    }

    /** Retries, because it fails while its buffer is empty. */
    private static long patiently(DefaultUidGenerator generator) {
        while (true) {
            try {
                return generator.getUID();
            } catch (RuntimeException e) {
                Thread.onSpinWait();
            }
        }
    }
}
