package io.github.snowflakeid.internal.actuate;

import io.github.snowflakeid.IdFields;
import io.github.snowflakeid.SnowflakeIdGenerator;
import io.github.snowflakeid.WorkerId;
import io.github.snowflakeid.autoconfigure.SnowflakeGenerators;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;

/**
 * The endpoint {@code snowflake}: shows the holder of each worker ID, and decodes IDs. It reads registries in the
 * calling thread, so an answer takes as long as the store takes. Answers contain no secrets: tokens of leases are
 * omitted. Safe for use by any number of threads.
 *
 * @hidden
 */
@Endpoint(id = "snowflake")
public final class SnowflakeEndpoint {

    private final SnowflakeGenerators generators;
    private final InstantSource clock;

    /**
     * Creates the endpoint.
     *
     * @param generators the generators of the context
     * @param clock the clock of this machine
     */
    public SnowflakeEndpoint(SnowflakeGenerators generators, InstantSource clock) {
        this.generators = generators;
        this.clock = clock;
    }

    /**
     * Returns all generators, and the leases of their namespaces.
     *
     * @return the details by name
     */
    @ReadOperation
    public Map<String, Object> generators() {
        Map<String, Object> all = new LinkedHashMap<>();
        List<Map<String, Object>> namespaces = new ArrayList<>();
        generators.managed().forEach((name, generator) -> {
            Map<String, Object> details = new LinkedHashMap<>(
                    GeneratorReport.of(generator, clock.instant()).details());
            all.put(name, details);
            if (generator instanceof SnowflakeIdGenerator snowflakes) {
                details.put("layout", GeneratorReport.details(snowflakes.layout()));
                snowflakes.leaseTerms().ifPresent(terms -> {
                    Map<String, Object> namespace = new LinkedHashMap<>();
                    namespace.put("generator", name);
                    namespace.putAll(new LeasesOfNamespace(snowflakes, terms).details());
                    namespaces.add(namespace);
                });
            }
        });
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("generators", all);
        details.put("namespaces", namespaces);
        return details;
    }

    /**
     * Decodes an ID with the layout of each generator, and returns whether its worker ID is known in the generator's
     * namespace. Sequential numbers have no fields.
     *
     * @param id the ID
     * @return the details by name
     */
    @ReadOperation
    public Map<String, Object> id(@Selector long id) {
        Map<String, Object> byGenerator = new LinkedHashMap<>();
        generators
                .managed()
                .forEach((name, generator) -> byGenerator.put(
                        name,
                        generator instanceof SnowflakeIdGenerator snowflakes
                                ? fields(id, snowflakes)
                                : new TreeMap<>(
                                        Map.of("type", "segment", "note", "sequential numbers have no fields"))));
        Map<String, Object> details = new LinkedHashMap<>();
        // A text, because JavaScript would round the number.
        details.put("id", Long.toString(id));
        details.put("generators", byGenerator);
        return details;
    }

    private static Map<String, Object> fields(long id, SnowflakeIdGenerator generator) {
        IdFields fields;
        try {
            fields = generator.layout().decode(id);
        } catch (IllegalArgumentException e) {
            return Map.of("error", String.valueOf(e.getMessage()));
        }
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("timestamp", fields.timestamp().toString());
        details.put("datacenterId", fields.datacenterId());
        details.put("workerId", fields.workerId());
        details.put("sequence", fields.sequence());
        WorkerId own = generator.workerId();
        boolean isOwn = own.datacenterId() == fields.datacenterId() && own.workerId() == fields.workerId();
        details.put(
                "worker",
                generator
                        .leaseTerms()
                        .map(terms -> new LeasesOfNamespace(generator, terms).worker(fields))
                        .orElseGet(() -> new TreeMap<>(Map.of("known", isOwn, "thisGenerator", isOwn))));
        return details;
    }
}
