package io.github.snowflakeid.benchmark;

import io.github.snowflakeid.benchmark.Peer.Limit;
import io.github.snowflakeid.benchmark.Peer.Source;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** The number of IDs that all threads together get from one generator. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class Throughput {

    @Param
    Peer peer;

    @Param
    Limit limit;

    private Source source;

    @State(Scope.Thread)
    public static class Caller {
        private LongSupplier ids;

        @Setup
        public void make(Throughput throughput) {
            ids = throughput.source.caller();
        }
    }

    @Setup
    public void make() {
        source = peer.make(limit);
    }

    @TearDown
    public void end() {
        source.end().run();
    }

    @Benchmark
    public long nextId(Caller caller) {
        return caller.ids.getAsLong();
    }
}
