package io.github.snowflakeid.actuate;

import io.github.snowflakeid.IdFields;
import io.github.snowflakeid.SnowflakeIdGenerator;
import io.github.snowflakeid.autoconfigure.SnowflakeGenerators;
import io.github.snowflakeid.worker.WorkerId;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;

/**
 * The endpoint {@code snowflake}: who holds which worker id, and what an id says. Reads registries in the thread that asks, so
 * that the answer takes as long as a store does. There is nothing secret in it: tokens of leases are left out. Safe for use by
 * any number of threads.
 */
@Endpoint(id = "snowflake")
public final class SnowflakeEndpoint {

    private final SnowflakeGenerators generators;
    private final InstantSource clock;

    SnowflakeEndpoint(SnowflakeGenerators generators, InstantSource clock) {
        this.generators = generators;
        this.clock = clock;
    }

    /**
     * All generators, and all leases of their namespaces.
     *
     * @return details by name
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
     * The fields of an id in the layout of each generator, and whether its worker is known there. Numbers of segments have none.
     *
     * @param id a decimal number
     * @return details by name
     * @throws InvalidEndpointRequestException if it is not an id
     */
    @ReadOperation
    public Map<String, Object> id(@Selector String id) {
        long value = parse(id);
        Map<String, Object> byGenerator = new LinkedHashMap<>();
        generators
                .managed()
                .forEach((name, generator) -> byGenerator.put(
                        name,
                        generator instanceof SnowflakeIdGenerator snowflakes
                                ? fields(value, snowflakes)
                                : Map.of("kind", "segment", "note", "sequential numbers have no fields")));
        Map<String, Object> details = new LinkedHashMap<>();
        // As a text: JavaScript would round the number.
        details.put("id", Long.toString(value));
        details.put("generators", byGenerator);
        return details;
    }

    private static long parse(String id) {
        try {
            long value = Long.parseLong(id);
            if (value >= 0) {
                return value;
            }
        } catch (NumberFormatException e) {
            // It is rejected below.
        }
        throw new InvalidEndpointRequestException(
                "id must be a whole number from 0 to %d, but was '%s'".formatted(Long.MAX_VALUE, id),
                "The id must be a whole number from 0 to " + Long.MAX_VALUE);
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
                        .orElseGet(() -> Map.of("known", isOwn, "thisGenerator", isOwn)));
        return details;
    }
}
