package io.github.snowflakeid.publicid.feign;

import feign.Capability;
import feign.QueryMapEncoder;
import io.github.snowflakeid.internal.text.IdTextConverter;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Writes the IDs of objects that are query strings.
 *
 * @hidden public only because Feign calls it by reflection
 */
public final class QueryIds implements Capability {

    private final IdTextConverter converter;

    QueryIds(IdTextConverter converter) {
        this.converter = converter;
    }

    @Override
    public QueryMapEncoder enrich(QueryMapEncoder encoder) {
        return query -> {
            Map<String, Object> parameters = new LinkedHashMap<>(encoder.encode(query));
            parameters.replaceAll((name, value) -> converter.write(value, query, name));
            return parameters;
        };
    }
}
