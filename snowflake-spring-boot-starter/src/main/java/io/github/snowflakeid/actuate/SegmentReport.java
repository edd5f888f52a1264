package io.github.snowflakeid.actuate;

import io.github.snowflakeid.segment.NumbersUnavailableException;
import io.github.snowflakeid.segment.SegmentIdGenerator;
import io.github.snowflakeid.segment.SegmentStatistics;
import io.github.snowflakeid.segment.SegmentStore;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The details of a generator of sequential numbers for its {@link GeneratorReport}. Contains nothing secret. */
public final class SegmentReport {

    private SegmentReport() {}

    /**
     * Returns a snapshot of a generator. It contacts no store.
     *
     * @param generator a generator
     * @return details by name
     */
    static Map<String, Object> details(SegmentIdGenerator generator) {
        Map<String, Object> details = new LinkedHashMap<>(identity(generator));
        SegmentStatistics statistics = generator.statistics();
        details.put("last", statistics.last());
        details.put("remaining", statistics.remaining());
        details.put("step", statistics.step());
        List<String> leftOut = generator.excludedStores();
        if (!leftOut.isEmpty()) {
            details.put("excludedStores", String.join(", ", leftOut));
        }
        @Nullable NumbersUnavailableException trouble = generator.trouble().orElse(null);
        boolean makesIds = trouble == null && !generator.isClosed();
        if (!makesIds) {
            details.put("reason", trouble == null ? "the generator is closed" : String.valueOf(trouble.getMessage()));
        }
        details.put("makesIds", makesIds);
        return details;
    }

    /**
     * What never changes of a generator.
     *
     * @param generator one
     * @return details by name
     */
    static Map<String, Object> identity(SegmentIdGenerator generator) {
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("kind", "segment");
        details.put("counter", generator.name());
        details.put(
                "stores",
                generator.stores().stream().map(SegmentStore::description).collect(Collectors.joining(", ")));
        details.put("start", generator.initialValue());
        details.put("end", generator.maxValue());
        return details;
    }

    /**
     * What kinds of stores a generator has, in one word.
     *
     * @param generator one
     * @return such as {@code jdbc}
     */
    public static String stores(SegmentIdGenerator generator) {
        return generator.stores().stream().map(SegmentStore::kind).distinct().collect(Collectors.joining("+"));
    }
}
