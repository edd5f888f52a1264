package io.github.snowflakeid.benchmark;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.Collection;
import java.util.List;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.ScalarResult;

/** Reports how many cores the process kept busy: the CPU time of all its threads, divided by time. */
public final class CpuTime implements InternalProfiler {

    static final String LABEL = "cores";

    private static final OperatingSystemMXBean PROCESS =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    private long cpu;
    private long begin;

    @Override
    public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
        cpu = now();
        begin = System.nanoTime();
    }

    @Override
    public Collection<? extends Result<?>> afterIteration(
            BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
        double cores = (double) (now() - cpu) / (System.nanoTime() - begin);
        return List.of(new ScalarResult(LABEL, cores, "cores", AggregationPolicy.AVG));
    }

    /** Returns the CPU time of this process so far, in nanoseconds. */
    static long now() {
        return PROCESS.getProcessCpuTime();
    }

    @Override
    public String getDescription() {
        return "CPU time of the process";
    }
}
