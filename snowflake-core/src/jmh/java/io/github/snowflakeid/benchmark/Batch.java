package io.github.snowflakeid.benchmark;

import io.github.snowflakeid.SnowflakeIdGenerator;
import io.github.snowflakeid.WorkerIdAssigner;
import io.github.snowflakeid.benchmark.Peer.Limit;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** Throughput of batches of IDs, with layouts that do not limit it. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class Batch {

    @Param({"256", "4096"})
    int size;

    private SnowflakeIdGenerator generator;

    @State(Scope.Thread)
    public static class Target {
        private long[] ids;

        @Setup
        public void make(Batch batch) {
            ids = new long[batch.size];
        }
    }

    @Setup
    public void make() {
        generator = SnowflakeIdGenerator.builder()
                .layout(Peer.layout(Limit.NONE))
                .worker(WorkerIdAssigner.fixed(0, 0))
                .build();
    }

    @TearDown
    public void end() {
        generator.close();
    }

    @Benchmark
    public long[] intoAnArray(Target target) {
        generator.nextIds(target.ids);
        return target.ids;
    }

    @Benchmark
    public long[] inANewArray() {
        return generator.nextIds(size);
    }

    /** Two threads generate two million IDs each in batches, into an array or as a new array. */
    Correctness correctness(boolean intoAnArray) throws Exception {
        make();
        Correctness found = Correctness.of(made -> {
            long[] target = new long[size];
            for (int from = 0; from < made.length; from += size) {
                if (intoAnArray) {
                    generator.nextIds(target);
                } else {
                    target = generator.nextIds(size);
                }
                System.arraycopy(target, 0, made, from, size);
            }
        });
        end();
        return found;
    }
}
