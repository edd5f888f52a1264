package io.github.snowflakeid.actuate;

import io.github.snowflakeid.SnowflakeIdGenerator;
import io.github.snowflakeid.mapping.IdGenerators;
import io.github.snowflakeid.segment.SegmentIdGenerator;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.beans.factory.ListableBeanFactory;

/**
 * The generators of an application context, by the names that people see: the name of a named one, {@code default} for the
 * unnamed one, and for one that the application defines without a name that of its bean. Safe for use by any number of threads.
 */
public final class Generators {

    private static final String UNNAMED = "default";
    private static final String NAMED = IdGenerators.OURS + "generators.";

    private final ListableBeanFactory beans;

    /**
     * Those of a context.
     *
     * @param beans its beans, not looked at before they are asked for
     */
    public Generators(ListableBeanFactory beans) {
        this.beans = beans;
    }

    /**
     * Those that make Snowflake ids, as far as there are some now.
     *
     * @return generators by name, none of them made for being looked at: a lazy one is there once somebody has used it
     */
    public Map<String, SnowflakeIdGenerator> all() {
        Map<String, SnowflakeIdGenerator> all = new LinkedHashMap<>();
        IdGenerators.made(SnowflakeIdGenerator.class, beans).forEach((bean, generator) -> {
            String name = !generator.name().isEmpty()
                    ? generator.name()
                    : bean.startsWith(IdGenerators.OURS) ? UNNAMED : bean;
            if (all.putIfAbsent(name, generator) != null) {
                all.put(bean, generator);
            }
        });
        return all;
    }

    /**
     * Those whose numbers are of segments, as far as there are some now.
     *
     * @return generators by name, none of them made for being looked at
     */
    public Map<String, SegmentIdGenerator> ofSegments() {
        Map<String, SegmentIdGenerator> all = new LinkedHashMap<>();
        IdGenerators.made(SegmentIdGenerator.class, beans)
                .forEach((bean, generator) -> all.put(nameOf(bean), generator));
        return all;
    }

    /**
     * How all of them stand.
     *
     * @param now the time
     * @return reports by name
     */
    Map<String, GeneratorReport> reports(Instant now) {
        Map<String, GeneratorReport> reports = new LinkedHashMap<>();
        all().forEach((name, generator) -> reports.put(name, GeneratorReport.of(generator, now)));
        ofSegments().forEach((name, generator) -> reports.put(name, SegmentReport.of(generator)));
        return reports;
    }

    private static String nameOf(String bean) {
        if (bean.startsWith(NAMED)) {
            return bean.substring(NAMED.length());
        }
        return bean.startsWith(IdGenerators.OURS) ? UNNAMED : bean;
    }

    /**
     * Where a generator's worker id comes from, in one word.
     *
     * @param generator one of them
     * @return {@code fixed}, {@code host}, the kind of a registry like {@code jdbc}, or {@code own} for a worker id that the
     *     application assigns
     */
    public static String strategy(SnowflakeIdGenerator generator) {
        return generator
                .leaseTerms()
                .map(terms -> terms.registry().kind())
                .orElseGet(() -> generator.workerId().origin().equals("configured")
                        ? "fixed"
                        : generator.workerId().warning() != null ? "host" : "own");
    }
}
